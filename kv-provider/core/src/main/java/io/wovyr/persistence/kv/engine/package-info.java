/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What an ordered key-value engine must be able to do, so that the record layer above can keep
 * every promise of the storage SPI. {@link io.wovyr.persistence.kv.engine.Engine} is the one
 * interface an engine implements; begin there.
 *
 * <p>It is as small as the smallest of three engines allows: reads of keys and of ranges inside one
 * partition, and a write of many keys with a condition on each by itself, so that no read happens
 * inside the write.
 *
 * <table>
 * <caption>How it maps</caption>
 * <tr><th></th><th>RocksDB</th><th>FoundationDB</th><th>DynamoDB</th></tr>
 * <tr><td>{@link io.wovyr.persistence.kv.engine.Place}</td>
 * <td>the key</td>
 * <td>the key, at most 10 KB, behind the subspace of the store</td>
 * <td>the first {@code partition} bytes are the partition key, the rest the sort key</td></tr>
 * <tr><td>{@link io.wovyr.persistence.kv.engine.Stored}</td>
 * <td>one value: flags, version, stamp, body</td>
 * <td>the same; a body over 90,000 bytes is cut into keys that lie side by side</td>
 * <td>the attributes {@code v} (number), {@code s}, {@code b} (binary), 400 KB together</td></tr>
 * <tr><td>{@link io.wovyr.persistence.kv.engine.View}</td>
 * <td>a snapshot</td>
 * <td>a read transaction, not fresh any more well before its 5 s, so that the page ends and the next
 * one takes another; behind them expired, and what was asked is read again</td>
 * <td>TransactGetItems, and Query with strongly consistent reads; no snapshot over several calls
 * ({@link io.wovyr.persistence.kv.engine.Shape#snapshots} is false), so the record layer checks
 * what an index entry led it to, and reads a page until two readings are the same</td></tr>
 * <tr><td>{@link io.wovyr.persistence.kv.engine.Range}</td>
 * <td>an iterator with bounds</td>
 * <td>getRange with a byte limit</td>
 * <td>one Query; a page of 1 MB, be it empty, has a rest where it goes on</td></tr>
 * <tr><td>{@link io.wovyr.persistence.kv.engine.AtomicWrite}</td>
 * <td>locks on the guarded keys, gets, and one WriteBatch with a synced log for all writes of the
 * call</td>
 * <td>one transaction under 10 MB and 5 s: gets of the guarded keys, then the changes; 1020 begins
 * again, since what was read may have changed; after 1021 the next try finds out by a marker, and only
 * the deadline leaves the outcome unknown</td>
 * <td>one TransactWriteItems: every change is one item with its ConditionExpression, at most 100
 * items and 4 MB, checked before; reasons with ALL_OLD become refusals, TransactionConflict is
 * tried again, a lost answer leaves the outcome unknown</td></tr>
 * <tr><td>{@link io.wovyr.persistence.kv.engine.Change.Append}, stamps</td>
 * <td>a counter; the horizon stays below all writes under way</td>
 * <td>SET_VERSIONSTAMPED_KEY and SET_VERSIONSTAMPED_VALUE; the horizon is the read version</td>
 * <td>made of the time by the writer, above those of all it depends on; every write also changes an
 * item of its handle on the condition that its stamp lies above what readers closed there, and a
 * reader that moves the horizon closes all of them first</td></tr>
 * <tr><td>{@link io.wovyr.persistence.kv.engine.Shape#shards}</td>
 * <td>1</td><td>1</td>
 * <td>16, so that no tenant, type or due path is one partition; a scan merges them</td></tr>
 * </table>
 */
@NullMarked
package io.wovyr.persistence.kv.engine;

import org.jspecify.annotations.NullMarked;
