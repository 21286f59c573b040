#!/usr/bin/env python3
# Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
# SPDX-License-Identifier: Apache-2.0
"""Shows keys and values written as docs/format/key-value.md says, written from that document alone.

Needs Python 3.8, and key-value-types.json beside it:

  decode-key-value.py FILE

FILE has a line for each key: key, version, stamp and body, separated by blanks, all but the version in
hexadecimal, '-' for nothing. For each a line on the standard output, and one for each row in it. Exit code 1: a
line is not what the layout allows.
"""
import json
import pathlib
import sys
import uuid

TYPES = {one["number"]: one for one in json.loads(
    (pathlib.Path(__file__).parent / "key-value-types.json").read_text("utf-8"))}


class NotInLayout(Exception):
    """The bytes are not what the layout allows."""


class Bytes:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def end(self):
        return self.at == len(self.data)

    def take(self, count):
        if count > len(self.data) - self.at:
            raise NotInLayout("cut")
        self.at += count
        return self.data[self.at - count:self.at]

    def unsigned(self, count):
        return int.from_bytes(self.take(count), "big")

    def signed64(self):
        return int.from_bytes(self.take(8), "big", signed=True)

    def rest(self):
        return self.take(len(self.data) - self.at)

    def number(self):
        value = shift = 0
        while True:
            byte = self.unsigned(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        value = self.number()
        return value >> 1 if value % 2 == 0 else -(value + 1 >> 1)

    def sized(self):
        return self.take(self.number())

    def text(self):
        return self.sized().decode("utf-8")


def ended(data):
    found = bytearray()
    while True:
        byte = data.unsigned(1)
        if byte == 0:
            mark = data.unsigned(1)
            if mark == 1:
                return bytes(found)
            if mark != 0xFF:
                raise NotInLayout("a text of a key has no end")
        found.append(byte)


def in_key(kind, data):
    if kind == "INT":
        return data.unsigned(4) - (1 << 31)
    if kind in ("LONG", "INSTANT"):
        return data.unsigned(8) - (1 << 63)
    if kind == "BOOLEAN":
        return data.unsigned(1) == 1
    if kind == "UUID":
        return str(uuid.UUID(bytes=data.take(16)))
    if kind == "BYTES":
        return ended(data).hex()
    return ended(data).decode("utf-8")


def key_of(kind, data):
    return [in_key(one["kind"], data) for one in kind["key"]]


def kinds(kind, names):
    by_name = {one["name"]: one["kind"] for one in kind["key"] + kind["attributes"]}
    return [by_name[name] for name in names]


def typed(data):
    number = data.unsigned(2)
    if number not in TYPES:
        raise NotInLayout("type %d" % number)
    return TYPES[number]


def in_row(kind, data):
    if kind in ("INT", "LONG"):
        return data.signed()
    if kind == "BOOLEAN":
        return data.unsigned(1) == 1
    if kind == "UUID":
        return str(uuid.UUID(bytes=data.take(16)))
    if kind == "INSTANT":
        return data.signed64()
    if kind == "TEXT":
        return data.rest().decode("utf-8")
    if kind == "TEXT_LIST":
        texts = []
        while not data.end():
            texts.append(data.text())
        return texts
    return data.rest().hex()


def show(value):
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def row(kind, tenant, key, data):
    if data.unsigned(1) != 1:
        raise NotInLayout("format of a row")
    version = data.number()
    header = [str(uuid.UUID(bytes=data.take(16))), data.signed64(), data.signed64(), data.text(),
              data.number(), data.number(), data.number(), data.sized().hex()]
    values = []
    count = data.number()
    for at, attribute in enumerate(kind["attributes"]):
        length = data.number() if at < count else 0
        values.append(None if length == 0 else in_row(attribute["kind"], Bytes(data.take(length - 1))))
    if not data.end():
        raise NotInLayout("bytes behind a row")
    return "row %s %s %s %d %s %s" % (show(tenant), kind["name"], show(key), version, show(header), show(values))


def blocked(kind):
    return kind["appendOnly"] and kind["inFeed"] and len(kind["key"]) > 1 and kind["key"][-1]["kind"] == "LONG"


def rows(kind, tenant, key, body):
    if not blocked(kind):
        return [row(kind, tenant, key, body)]
    shown = []
    for at in range(body.number()):
        shown.append(row(kind, tenant, key[:-1] + [key[-1] + at], Bytes(body.sized())))
    return shown


def path_entry(kind, data, shown, ofall):
    index = data.unsigned(1)
    shard = data.unsigned(1)
    path = kind["paths"][index]
    values = [in_key(one, data) for one in kinds(kind, path["equality"] + path["ordered"])]
    key = key_of(kind, data)
    tenant = ended(data).decode("utf-8") if ofall else shown
    return "path %s %s.%s shard=%d %s -> %s" % (
        show(tenant), kind["name"], path["name"], shard, show(values), show(key))


def decode(key, version, stamp, body):
    space = key.unsigned(1)
    if space == 0:
        name = ended(key).decode("utf-8")
        layout = body.unsigned(1)
        if name != "store" or layout != 1:
            raise NotInLayout("layout")
        return ["store epoch=%d layout=%d id=%s schema=%d shards=%d" % (
            version, layout, uuid.UUID(bytes=body.take(16)), body.number(), body.unsigned(1))]
    tenant = ended(key).decode("utf-8") if space == 1 else None
    what = key.unsigned(1)
    name = show(tenant) if space == 1 else "*"
    if what == 0x10:
        kind = typed(key)
        shard = key.unsigned(1)
        values = key_of(kind, key)
        found = rows(kind, tenant, values, body)
        return ["record %s %s shard=%d %s version=%d stamp=%s" % (
            name, kind["name"], shard, show(values), version, stamp)] + found
    if what == 0x18:
        kind = typed(key)
        shard = key.unsigned(1)
        prefix = [in_key(one["kind"], key) for one in kind["key"][:-1]]
        return ["tail %s %s shard=%d %s last=%d below=%d" % (
            name, kind["name"], shard, show(prefix), version, 0 if body.end() else body.number())]
    if what == 0x20:
        kind = typed(key)
        unique = kind["uniques"][key.unsigned(1)]
        values = [in_key(one, key) for one in kinds(kind, unique["attributes"])]
        return ["unique %s %s.%s %s -> %s" % (
            name, kind["name"], unique["name"], show(values), show(key_of(kind, body)))]
    if what == 0x30:
        kind = typed(key)
        behind = 0 if body.end() else body.number()
        return [path_entry(kind, key, tenant, space == 2) + " behind=%d" % behind]
    if what == 0x40 and space == 2:
        return ["feed * %s %s" % (key.rest().hex(), show(body.rest().decode("utf-8")))]
    if what == 0x40:
        refs = []
        for _ in range(body.number()):
            ordinal = body.number()
            kind = TYPES[body.number()]
            refs.append([ordinal, kind["name"], key_of(kind, Bytes(body.sized())), body.number()])
        return ["feed %s %s %s" % (name, key.rest().hex(), show(refs))]
    if what == 0x50:
        return ["mark %s %s up to %s.%d" % (name, key.rest().hex(), body.sized().hex(), body.number())]
    raise NotInLayout("a key of the kind %02x" % what)


def unhex(text):
    return bytes.fromhex("" if text == "-" else text)


def main():
    with open(sys.argv[1], encoding="ascii") as lines:
        for line in lines:
            key, version, stamp, body = line.split()
            key, body = Bytes(unhex(key)), Bytes(unhex(body))
            try:
                shown = decode(key, int(version), stamp, body)
                if not key.end() or not body.end():
                    raise NotInLayout("bytes behind the end")
            except (NotInLayout, UnicodeDecodeError) as problem:
                sys.exit("%s: %s" % (line.split()[0], problem))
            print("\n".join(shown))


main()
