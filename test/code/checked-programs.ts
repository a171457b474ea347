import type { HostileProgram } from "./programs.js";

/** Brackets that are never closed, or many levels of something without them. */
const times = (text: string, count: number): string => text.repeat(count);

/**
 * Programs that attack the check: its compiler, its folder, or what it promises.
 * `types:` is the answer of a program of which nothing runs.
 */
const rows: readonly (readonly [string, string])[] = [
  // What is not there.
  [
    "return (await files.read({ pth: 'a' })).text;",
    "types:'pth' does not exist",
  ],
  ["return await files.raed({});", "types:'raed' does not exist"],
  [
    "return await fetch('https://example.com');",
    "types:Cannot find name 'fetch'",
  ],
  ["return process.env;", "types:Cannot find name 'process'"],
  ["return document.cookie;", "types:Cannot find name 'document'"],
  ["setTimeout(() => {}, 1);", "types:Cannot find name 'setTimeout'"],
  ["const x: string = 1;", "types:1:7"],
  ["return (", "types:1"],
  ["return <div>{1}</div>;", "types:1:"],
  ["#!/usr/bin/env node\nreturn 1;", "types:1:"],
  ["return 1;\0", "types:1:"],
  [times("x;", 10_000), "types: more"],
  // Other files.
  ["import fs from 'node:fs';", "types:nothing to import"],
  ["import fs = require('node:fs');", "types:nothing to import"],
  ["export * from '/etc/passwd';", "types:nothing to import"],
  ["return require('node:fs');", "types:nothing to import"],
  ["return await import('node:fs');", "types:nothing to import"],
  ["return await import\n('node:fs');", "types:Cannot find module"],
  ["return await import/**/('node:fs');", "types:Cannot find module"],
  ["type T = import('node:fs').Stats; return 1;", "types:nothing to import"],
  [
    "type T = typeof import\n('/etc/passwd'); return 1;",
    "types:Cannot find module",
  ],
  ["/// <reference path='/etc/passwd' />", "types:nothing to import"],
  [
    "/// <reference types='node' />\nreturn process.env;",
    "types:nothing to import",
  ],
  ["//# sourceMappingURL=/etc/passwd\nreturn 1;", "value:1"],
  ["declare module 'node:fs' { export const x: 1; }", "types:1:"],
  // The check itself.
  [
    "// @ts-ignore\nreturn await files.raed({});",
    "types:every line is checked",
  ],
  [
    "/* @ts-expect-error */ return await files.raed({});",
    "types:every line is checked",
  ],
  [
    "// @ts-nocheck\nreturn await files.raed({});",
    "types:every line is checked",
  ],
  ["declare global { const process: any; } return process.env;", "types:1:"],
  [
    "}\ndeclare const process: any;\nasync function other() { return process.env;",
    "value:null",
  ],
  ["}\ndeclare const files: any;\nasync function other() {", "types:"],
  ["}\nfor (;;) {}\nasync function other() {", "limit:time"],
  ["const all: any = files; return all.raed({});", "thrown:not a function"],
  [
    "return (files as any).read.constructor('return process')();",
    "thrown:not a function",
  ],
  // What takes long, or goes deep.
  [`return "${times("x", 40_000)}";`, "types:32768"],
  [times("(", 3000), "types:brackets in brackets"],
  [times("[", 3000), "types:brackets in brackets"],
  [times("{", 3000), "types:brackets in brackets"],
  [`let x: ${times("Array<", 3000)}`, "types:"],
  [`let x: ${times("Array<", 3500)}1${times(">", 3500)};`, "types:|value:"],
  [`return ${times("<any>", 6000)}1;`, "types:|value:"],
  [`return ${times("(a=>", 3000)}1;`, "types:brackets in brackets"],
  [`let n = 0; ${times("if (n < 1) n--;", 150)} return n;`, "value:-150"],
  [`return ${times("!", 20_000)}1;`, "types:|value:|thrown:"],
  [`return ${times("- ", 15_000)}1;`, "types:|value:|thrown:"],
  [`return ${times("typeof ", 4000)}1;`, "types:|value:|thrown:"],
  [`return ${times("a=>", 10_000)}1;`, "types:|thrown:"],
  [`return ${times("1+", 15_000)}1;`, "types:|value:|thrown:"],
  [`${times("if(1)", 6000)};`, "types:|value:|thrown:"],
  [`return ${times("1?1:", 8000)}1;`, "types:|value:|thrown:"],
  [`let x: ${times("keyof ", 5000)}1;`, "types:|value:"],
  [`return files${times(".x", 15_000)};`, "types:"],
  ["type F<T> = F<[T]>; const a: F<1> = 1; return a;", "types:"],
  [
    "type A<N extends number, T extends 0[] = []> = T['length'] extends N ? T : A<N, [...T, 0]>; const a: A<99999> = 1; return a;",
    "types:",
  ],
  [
    "type D = 0|1|2|3|4|5|6|7|8|9; type X = `${D}${D}${D}${D}${D}${D}${D}`; const x: X = 1; return x;",
    "types:",
  ],
  [
    "type P<T, K = T> = [T] extends [never] ? [] : K extends K ? [K, ...P<Exclude<T, K>>] : never; const p: P<1|2|3|4|5|6|7|8|9|10> = 1; return p;",
    "types:",
  ],
];

export const checkedPrograms: readonly HostileProgram[] = rows.map(
  ([program, answers]) => ({ attacks: "the check", program, answers }),
);
