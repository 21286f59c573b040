#!/usr/bin/env python3
# Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
# SPDX-License-Identifier: Apache-2.0
"""Shows a value written as docs/format/cbor-payload.md says, written from that document alone.

Needs Python 3.8 and nothing else:

  decode-cbor.py FILE...

For each file one line of JSON on the standard output: every value with its type, floating-point numbers as
the hexadecimal of their bits. Exit code 1: a file is not such a value.
"""
import json
import re
import struct
import sys
import uuid

NAME = re.compile(r"[A-Za-z][A-Za-z0-9._/@-]{0,127}\Z")
TEXT_FORMS = {
    ":instant", ":duration", ":period", ":local-date", ":local-time", ":local-date-time", ":offset-time",
    ":offset-date-time", ":zoned-date-time", ":year", ":year-month",
}
RANGES = {":byte": 8, ":short": 16, ":long": 64}
ARRAYS = {73: ("short[]", 2, "h"), 74: ("int[]", 4, "i"), 75: ("long[]", 8, "q"), 81: ("float[]", 4, None),
          82: ("double[]", 8, None)}
BREAK = object()


class NotAValue(Exception):
    """The bytes are not what the format allows."""


class Decoder:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise NotAValue("cut")
        piece = self.data[self.at:self.at + count]
        self.at += count
        return piece

    def head(self):
        """Major type, additional information and argument; None for an indefinite length."""
        first = self.take(1)[0]
        major, low = first >> 5, first & 0x1F
        if low < 24:
            return major, low, low
        if low < 28:
            return major, low, int.from_bytes(self.take(1 << (low - 24)), "big")
        if low == 31 and major in (2, 3, 4, 5, 7):
            return major, low, None
        raise NotAValue("reserved additional information")

    def string(self, major, length):
        if length is not None:
            piece = self.take(length)
            return piece if major == 2 else piece.decode("utf-8")
        pieces = []
        while True:
            kind, _, size = self.head()
            if kind == 7 and size is None:
                return (b"" if major == 2 else "").join(pieces)
            if kind != major or size is None:
                raise NotAValue("chunk of another kind")
            pieces.append(self.string(major, size))

    def items(self, count):
        """The items of an array, each yielded before the next is read."""
        while count is None or count > 0:
            item = self.item(count is None)
            if item is BREAK:
                return
            yield item
            if count is not None:
                count -= 1

    def pairs(self, count):
        keys = set()
        while count is None or count > 0:
            major, low, length = self.head()
            if count is None and major == 7 and low == 31:
                return
            if major != 3:
                raise NotAValue("a key that is not text")
            key = self.string(3, length)
            if key in keys:
                raise NotAValue("a key that is there twice")
            keys.add(key)
            yield [key, self.item()]
            if count is not None:
                count -= 1

    def item(self, may_break=False):
        major, low, argument = self.head()
        if major == 6:
            return self.tagged(argument)
        if major in (0, 1):
            return integer(argument if major == 0 else -1 - argument)
        if major == 2:
            return {"bytes": self.string(2, argument).hex()}
        if major == 3:
            return self.string(3, argument)
        if major == 4:
            return {"list": list(self.items(argument))}
        if major == 5:
            return {"map": list(self.pairs(argument))}
        if low == 31 and may_break:
            return BREAK
        return simple(low, argument)

    def expect(self, *majors):
        major, _, argument = self.head()
        if major not in majors:
            raise NotAValue("a tag on another kind of value")
        return major, argument

    def tagged(self, tag):
        if tag in (2, 3):
            return {"bigint": str(self.bignum(tag))}
        if tag == 4:
            return self.decimal()
        if tag in (0, 1004):
            _, length = self.expect(3)
            return {"instant" if tag == 0 else "local-date": self.string(3, length)}
        if tag == 27:
            return self.named()
        if tag == 37:
            _, length = self.expect(2)
            return {"uuid": str(uuid.UUID(bytes=self.string(2, length)))}
        if tag in ARRAYS:
            _, length = self.expect(2)
            return numbers(tag, self.string(2, length))
        if tag == 258:
            _, count = self.expect(4)
            return {"set": list(self.items(count))}
        raise NotAValue("unknown tag %d" % tag)

    def bignum(self, tag):
        _, length = self.expect(2)
        magnitude = int.from_bytes(self.string(2, length), "big")
        return magnitude if tag == 2 else -1 - magnitude

    def whole(self):
        major, argument = self.expect(0, 1, 6)
        if major == 6:
            if argument not in (2, 3):
                raise NotAValue("not an integer")
            return self.bignum(argument)
        return argument if major == 0 else -1 - argument

    def decimal(self):
        _, count = self.expect(4)
        if count != 2:
            raise NotAValue("a decimal fraction has two elements")
        exponent = self.whole()
        return {"decimal": [str(self.whole()), -exponent]}

    def named(self):
        _, count = self.expect(4)
        if count is None or count not in (1, 2):
            raise NotAValue("a named value has a name and at most one more element")
        _, length = self.expect(3)
        name = self.string(3, length)
        if name == ":optional":
            return {"optional": [self.item() for _ in range(count - 1)]}
        if count != 2:
            raise NotAValue("a named value without its value")
        if name in RANGES:
            number = self.whole()
            if not -(1 << RANGES[name] - 1) <= number < 1 << RANGES[name] - 1:
                raise NotAValue("out of range")
            return {name[1:]: number}
        if name == ":char" or name in TEXT_FORMS:
            _, length = self.expect(3)
            return {name[1:]: self.string(3, length)}
        if not NAME.match(name):
            raise NotAValue("not a name")
        major, argument = self.expect(3, 5)
        if major == 3:
            return {"type": name, "constant": self.string(3, argument)}
        return {"type": name, "components": list(self.pairs(argument))}


def integer(number):
    if -(1 << 31) <= number < 1 << 31:
        return {"int": number}
    return {"long": number} if -(1 << 63) <= number < 1 << 63 else {"bigint": str(number)}


def simple(low, argument):
    if low in (20, 21):
        return low == 21
    if low == 22:
        return None
    if low == 25:
        argument, low = bits(">f", struct.unpack(">e", argument.to_bytes(2, "big"))[0]), 26
    if low == 26:
        return {"float": hexadecimal(argument, 4)}
    if low == 27:
        return {"double": hexadecimal(argument, 8)}
    raise NotAValue("a simple value that is never written")


def bits(form, number):
    return int.from_bytes(struct.pack(form, number), "big")


def hexadecimal(argument, size):
    """All NaN are one."""
    exponent, quiet = (0x7F800000, 0x7FC00000) if size == 4 else (0x7FF << 52, 0xFFF << 51)
    magnitude = argument & (1 << 8 * size - 1) - 1
    return "%0*x" % (2 * size, quiet if magnitude > exponent else argument)


def numbers(tag, data):
    name, size, form = ARRAYS[tag]
    if len(data) % size:
        raise NotAValue("an array that is cut")
    pieces = [data[i:i + size] for i in range(0, len(data), size)]
    if form is None:
        return {name: [hexadecimal(int.from_bytes(piece, "big"), size) for piece in pieces]}
    return {name: [struct.unpack(">" + form, piece)[0] for piece in pieces]}


def decode(data):
    decoder = Decoder(data)
    value = decoder.item()
    if decoder.at != len(data):
        raise NotAValue("more follows")
    return value


def main(files):
    for name in files:
        try:
            with open(name, "rb") as file:
                value = decode(file.read())
        except (NotAValue, ValueError, OSError) as problem:
            print("%s: %s" % (name, problem), file=sys.stderr)
            return 1
        print(json.dumps(value, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
