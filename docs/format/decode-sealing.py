#!/usr/bin/env python3
# Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
# SPDX-License-Identifier: Apache-2.0
"""Opens values sealed as docs/format/sealing.md says, written from that document alone.

Needs Python 3.8 and nothing else: AES and GCM are written out below (FIPS 197, NIST SP 800-38D), for
clarity and not for speed or against side channels. To read a value:

  decode-sealing.py open --data-key HEX --tenant T --type R --path P --origin UUID [--key K ...] [--scope DATA] FILE
  decode-sealing.py unwrap --keystore-key HEX --tenant T --data-key-id UUID [--scope DATA] FILE

The plain bytes, or the data key in hexadecimal, go to the standard output. Exit code 1: it does not open.
"""
import argparse
import hashlib
import hmac
import struct
import sys
import uuid


def _tables():
    exponent, logarithm = [0] * 512, [0] * 256
    value = 1
    for power in range(255):
        exponent[power] = value
        logarithm[value] = power
        value ^= (value << 1) ^ (0x11B if value & 0x80 else 0)
        value &= 0xFF
    for power in range(255, 512):
        exponent[power] = exponent[power - 255]
    box = []
    for byte in range(256):
        inverse = exponent[255 - logarithm[byte]] if byte else 0
        mixed = inverse
        for shift in range(1, 5):
            mixed ^= ((inverse << shift) | (inverse >> (8 - shift))) & 0xFF
        box.append(mixed ^ 0x63)
    return box


SBOX = _tables()


def _double(byte):
    return ((byte << 1) ^ (0x1B if byte & 0x80 else 0)) & 0xFF


class Aes256:
    """FIPS 197, encryption only."""

    ROUNDS = 14

    def __init__(self, key):
        assert len(key) == 32
        words = [list(key[i : i + 4]) for i in range(0, 32, 4)]
        constant = 1
        while len(words) < 4 * (self.ROUNDS + 1):
            word = list(words[-1])
            if len(words) % 8 == 0:
                word = [SBOX[b] for b in word[1:] + word[:1]]
                word[0] ^= constant
                constant = _double(constant)
            elif len(words) % 8 == 4:
                word = [SBOX[b] for b in word]
            words.append([a ^ b for a, b in zip(words[-8], word)])
        self.keys = [sum(words[i : i + 4], []) for i in range(0, len(words), 4)]

    def encrypt(self, block):
        state = [a ^ b for a, b in zip(block, self.keys[0])]
        for number in range(1, self.ROUNDS + 1):
            state = [SBOX[b] for b in state]
            state = [state[(i + 4 * (i % 4)) % 16] for i in range(16)]
            if number < self.ROUNDS:
                mixed = []
                for column in range(0, 16, 4):
                    c = state[column : column + 4]
                    every = c[0] ^ c[1] ^ c[2] ^ c[3]
                    mixed += [c[i] ^ every ^ _double(c[i] ^ c[(i + 1) % 4]) for i in range(4)]
                state = mixed
            state = [a ^ b for a, b in zip(state, self.keys[number])]
        return bytes(state)


def _multiply(x, y):
    product = 0
    for bit in range(127, -1, -1):
        if (x >> bit) & 1:
            product ^= y
        y = (y >> 1) ^ (0xE1 << 120 if y & 1 else 0)
    return product


def _ghash(h, data):
    y = 0
    for i in range(0, len(data), 16):
        y = _multiply(y ^ int.from_bytes(data[i : i + 16], "big"), h)
    return y.to_bytes(16, "big")


def _padded(data):
    return data + bytes(-len(data) % 16)


def gcm_open(key, nonce, sealed, associated):
    """SP 800-38D, 7.2, for nonces of 96 bits and tags of 128."""
    if len(nonce) != 12 or len(sealed) < 16:
        raise ValueError("cut")
    cipher, tag = sealed[:-16], sealed[-16:]
    aes = Aes256(key)
    h = int.from_bytes(aes.encrypt(bytes(16)), "big")
    lengths = struct.pack(">QQ", 8 * len(associated), 8 * len(cipher))
    digest = _ghash(h, _padded(associated) + _padded(cipher) + lengths)
    mask = aes.encrypt(nonce + struct.pack(">I", 1))
    if not hmac.compare_digest(bytes(a ^ b for a, b in zip(digest, mask)), tag):
        raise ValueError("the tag does not match: changed, or another place or key")
    plain = bytearray()
    for i in range(0, len(cipher), 16):
        stream = aes.encrypt(nonce + struct.pack(">I", 2 + i // 16))
        plain += bytes(a ^ b for a, b in zip(cipher[i : i + 16], stream))
    return bytes(plain)


def hkdf(secret, salt, info, length):
    """RFC 5869 with SHA-256."""
    extracted = hmac.new(salt or bytes(32), secret, hashlib.sha256).digest()
    output, block, counter = b"", b"", 0
    while len(output) < length:
        counter += 1
        block = hmac.new(extracted, block + info + bytes([counter]), hashlib.sha256).digest()
        output += block
    return output[:length]


def text(value):
    data = value.encode("utf-8")
    return struct.pack(">H", len(data)) + data


SCOPES = {"DATA": b"\x01", "SECRET": b"\x02"}


def open_sealed(sealed, data_key, scope, tenant, record_type, path, origin, key):
    if not sealed or sealed[0] == 0:
        raise ValueError("not a sealed value")
    if sealed[0] > 2:
        raise ValueError("version %d is not known" % sealed[0])
    if len(sealed) < 61:
        raise ValueError("cut")
    working = hkdf(data_key, sealed[17:33], b"wovyr-sealing-1 working key", 32)
    associated = sealed[:33] + SCOPES[scope] + text(tenant) + text(record_type) + text(path) + origin.bytes
    if sealed[0] == 2:
        associated += struct.pack(">H", len(key)) + b"".join(text(value) for value in key)
    return gcm_open(working, sealed[33:45], sealed[45:], associated)


def unwrap(wrapped, keystore_key, scope, tenant, data_key_id):
    if len(wrapped) != 61 or wrapped[0] != 1:
        raise ValueError("not a wrapped data key of version 1")
    wrapping = hkdf(keystore_key, b"", b"wovyr-sealing-1 wrapping key", 32)
    associated = b"\x01" + SCOPES[scope] + text(tenant) + data_key_id.bytes
    return gcm_open(wrapping, wrapped[1:13], wrapped[13:], associated)


def main():
    parser = argparse.ArgumentParser(
        description="Opens sealed values and wrapped data keys. @FILE: arguments from a file, one a line.",
        fromfile_prefix_chars="@",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    value = commands.add_parser("open")
    value.add_argument("--data-key", required=True, type=bytes.fromhex)
    value.add_argument("--type", required=True)
    value.add_argument("--path", required=True)
    value.add_argument("--origin", required=True, type=uuid.UUID)
    value.add_argument("--key", action="append", default=[], help="of the record, value by value, from version 2 on")
    key = commands.add_parser("unwrap")
    key.add_argument("--keystore-key", required=True, type=bytes.fromhex)
    key.add_argument("--data-key-id", required=True, type=uuid.UUID)
    for command in (value, key):
        command.add_argument("--tenant", required=True)
        command.add_argument("--scope", choices=sorted(SCOPES), default="DATA")
        command.add_argument("file")
    asked = parser.parse_args()
    with open(asked.file, "rb") as file:
        content = file.read()
    try:
        if asked.command == "open":
            plain = open_sealed(
                content,
                asked.data_key,
                asked.scope,
                asked.tenant,
                asked.type,
                asked.path,
                asked.origin,
                asked.key,
            )
            sys.stdout.buffer.write(plain)
        else:
            plain = unwrap(content, asked.keystore_key, asked.scope, asked.tenant, asked.data_key_id)
            print(plain.hex())
    except ValueError as error:
        sys.exit("does not open: %s" % error)


if __name__ == "__main__":
    main()
