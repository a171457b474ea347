/**
 * Programs that a hostile or confused model may write, by what they attack.
 * Each says what its run must answer.
 */
export interface HostileProgram {
  readonly attacks: string;
  readonly program: string;
  /**
   * `limit:<name>`, `value:<JSON>`, `thrown:<part of the message>`, or several
   * of these with `|` where engines may differ.
   */
  readonly answers: string;
}

const rows: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "loops without an end": [
    ["for (;;) {}", "limit:time"],
    ["while (true) ;", "limit:time"],
    ["do {} while (1)", "limit:time"],
    ["let i = 0; while (i >= 0) i++;", "limit:time"],
    ["label: for (;;) { continue label; }", "limit:time"],
    ["for (const x of (function* () { for (;;) yield 1; })()) ;", "limit:time"],
    ["const f = () => { for (;;) {} }; f();", "limit:time"],
    ["await (async () => { for (;;) {} })();", "limit:time"],
    ["await Promise.resolve().then(() => { for (;;) {} });", "limit:time"],
    ["try { for (;;) {} } catch { return 1; }", "limit:time"],
    ["try { for (;;) {} } finally { for (;;) {} }", "limit:time"],
    ["for (;;) { try { throw 1; } catch {} }", "limit:time"],
    ["for (;;) await null;", "limit:time"],
    [
      "const again = async () => { await null; return again(); }; await again();",
      "limit:time|limit:memory",
    ],
    [
      "const f = () => Promise.resolve().then(f); await f();",
      "limit:time|limit:memory",
    ],
    [
      "queueMicrotask(() => { for (;;) {} });",
      "thrown:queueMicrotask|thrown:not a function",
    ],
    ["const o = { get x() { for (;;) {} } }; return o.x;", "limit:time"],
    ["return { get x() { for (;;) {} } };", "limit:time"],
    ["throw { get message() { for (;;) {} } };", "limit:time"],
    ["return { toJSON() { for (;;) {} } };", "thrown:value.toJSON"],
    ["console.log({ get x() { for (;;) {} } });", "limit:time"],
    ["console.log({ toString() { for (;;) {} } });", "value:null"],
    ["class A { static { for (;;) {} } }", "limit:time"],
    ["switch (0) { case (() => { for (;;) {} })(): }", "limit:time"],
    ["return new Proxy({}, { ownKeys() { for (;;) {} } });", "limit:time"],
    ["return await { then() { for (;;) {} } };", "limit:time"],
  ],
  "native functions without an end": [
    ["return 'a'.repeat(40).match(/^(a+)+$b/);", "limit:time"],
    ["return 'a'.repeat(30000).match(/(a+)+b/);", "limit:time"],
    [
      "return 'a'.repeat(5000).replace(/(a*)*b/g, '');",
      "limit:time|value:|thrown:",
    ],
    ["return /(?:a|a)*c/.test('a'.repeat(60));", "limit:time|thrown:"],
    ["return /(\\w+\\s?)*$x/.test('word '.repeat(40));", "limit:time|thrown:"],
    [
      "return [...Array(1e7).keys()].sort(() => { for (;;) {} });",
      "limit:time|limit:memory|thrown:memory",
    ],
    ["return [2, 1].sort(() => { for (;;) {} });", "limit:time"],
    ["return [1].map(() => { for (;;) {} });", "limit:time"],
    ["return Array.from({ length: 1e12 });", "thrown:|limit:time|limit:memory"],
    [
      "return Array.from({ length: 2 ** 32 - 1 }, () => 1).length;",
      "limit:time|limit:memory|thrown:memory",
    ],
    [
      "return 'x'.repeat(1e6).split('').reverse().join('').length;",
      "value:1000000|limit:memory|thrown:memory",
    ],
    ["return 'x'.replace(/x/, () => { for (;;) {} });", "limit:time"],
    ["return JSON.stringify({ toJSON() { for (;;) {} } });", "limit:time"],
    ["return JSON.parse('[1]', () => { for (;;) {} });", "limit:time"],
    ["return [1].reduce(() => { for (;;) {} }, 0);", "limit:time"],
    ["return new Map([[1, 1]]).forEach(() => { for (;;) {} });", "limit:time"],
    [
      "return Reflect.ownKeys(new Proxy({}, { ownKeys() { for (;;) {} } }));",
      "limit:time",
    ],
    ["return Object.assign({}, { get x() { for (;;) {} } });", "limit:time"],
    ["return `${{ toString() { for (;;) {} } }}`;", "limit:time"],
    ["return +{ valueOf() { for (;;) {} } };", "limit:time"],
    [
      "return [].concat({ length: 2 ** 31, [Symbol.isConcatSpreadable]: true }).length;",
      "limit:time|limit:memory|thrown:|value:",
    ],
    [
      "const a = []; a.length = 2 ** 32 - 1; return a.indexOf(1);",
      "limit:time|value:-1",
    ],
    [
      "const a = []; a[2 ** 32 - 2] = 1; return a.join('').length;",
      "limit:time|limit:memory|thrown:",
    ],
    [
      "return BigInt(2) ** BigInt(1e6) > 0n;",
      "limit:time|limit:memory|value:true|thrown:",
    ],
    ["let b = 3n; for (;;) b *= b;", "limit:time|limit:memory|thrown:"],
    ["return new Date(8.64e15).toString().length > 0;", "value:true"],
  ],
  memory: [
    [
      "const a = []; for (;;) a.push(new Array(1000).fill(1));",
      "limit:memory|thrown:memory",
    ],
    ["let s = 'x'; for (;;) s += s;", "limit:memory|thrown:"],
    ["return 'x'.repeat(2 ** 30 - 1).length;", "limit:memory|thrown:|value:"],
    ["return new Array(1e9).fill(0).length;", "limit:memory|thrown:memory"],
    [
      "const x = []; for (;;) x.push(new Uint8Array(1e6));",
      "limit:memory|thrown:memory",
    ],
    ["return new ArrayBuffer(2 ** 31).byteLength;", "limit:memory|thrown:"],
    [
      "const m = new Map(); for (let i = 0; ; i++) m.set(i, `${i}`);",
      "limit:memory|thrown:memory",
    ],
    [
      "const s = new Set(); for (let i = 0; ; i++) s.add({ i });",
      "limit:memory|thrown:memory",
    ],
    [
      "const o = {}; for (let i = 0; ; i++) o[`k${i}`] = i;",
      "limit:memory|thrown:memory|limit:time",
    ],
    ["let o = {}; for (;;) o = { o };", "limit:memory|thrown:memory"],
    ["const f = []; for (;;) f.push(() => f);", "limit:memory|thrown:memory"],
    [
      "try { const a = []; for (;;) a.push('x'.repeat(1e5)); } catch { return 1; }",
      "limit:memory|value:1",
    ],
    [
      "for (;;) { try { const a = []; for (;;) a.push('x'.repeat(1e5)); } catch {} }",
      "limit:memory|limit:time",
    ],
    [
      "const p = []; for (;;) p.push(Promise.resolve());",
      "limit:memory|thrown:memory",
    ],
    [
      "const r = []; for (;;) r.push(new Promise(() => {}));",
      "limit:memory|thrown:memory",
    ],
    [
      "const s = []; for (let i = 0; ; i++) s.push(Symbol(i));",
      "limit:memory|thrown:memory",
    ],
    [
      "const g = []; for (;;) g.push((function* () {})());",
      "limit:memory|thrown:memory",
    ],
    [
      "return Array.from({ length: 5e7 }, (_, i) => i).length;",
      "limit:memory|thrown:memory|limit:time",
    ],
    [
      "const w = new WeakMap(); const k = []; for (;;) { const o = {}; k.push(o); w.set(o, o); }",
      "limit:memory|thrown:memory",
    ],
    ["return (function f() { return f(); })();", "thrown:"],
    ["const f = (a) => f([a]) + 1; return f([]);", "thrown:|limit:memory"],
    ["return JSON.parse('['.repeat(1e6));", "thrown:|limit:memory"],
    [
      "let j = '1'; for (let i = 0; i < 1e5; i++) j = `[${j}]`; return JSON.parse(j);",
      "thrown:|limit:memory|limit:time",
    ],
    [
      "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('');",
      "thrown:|limit:memory",
    ],
    [
      "return 'x'.padEnd(2 ** 29).length;",
      "limit:memory|thrown:|value:536870912",
    ],
  ],
  "floods of calls": [
    ["for (;;) files.read({});", "limit:calls"],
    ["for (;;) await files.read({});", "limit:calls"],
    [
      "const a = []; for (let i = 0; i < 60000; i++) a.push(files.read({ i })); await Promise.all(a);",
      "limit:calls",
    ],
    ["while (true) files.read({}).catch(() => {});", "limit:calls"],
    [
      "await Promise.race(Array.from({ length: 1000 }, () => files.read({})));",
      "limit:calls",
    ],
    ["const f = () => files.read({}).then(f); await f();", "limit:calls"],
    [
      "const f = () => files.read({}).then(() => Promise.all([f(), f()])); await f();",
      "limit:calls",
    ],
    [
      "try { for (;;) await files.read({}); } catch { return 1; }",
      "limit:calls",
    ],
    [
      "try { for (;;) await files.read({}); } finally { return 1; }",
      "limit:calls",
    ],
    [
      "async function* g() { for (;;) yield files.read({}); } for await (const x of g()) ;",
      "limit:calls",
    ],
    [
      "for (const n of Array(500).keys()) files.read({ n }); return 1;",
      "limit:calls",
    ],
    ["const { read } = files; for (;;) read({});", "limit:calls"],
    ["for (;;) files['read']({});", "limit:calls"],
    ["for (;;) Reflect.apply(files.read, null, [{}]);", "limit:calls"],
    [
      "const o = { get x() { return files.read({}); } }; for (;;) o.x;",
      "limit:calls",
    ],
    [
      "return Array.from({ length: 300 }, () => files.read({}));",
      "limit:calls",
    ],
    [
      "const f = () => Promise.resolve().then(() => { files.read({}); return f(); }); await f();",
      "limit:calls",
    ],
    ["for (;;) files.missing?.({}) ?? files.read({});", "limit:calls"],
    [
      "return (await Promise.all(Array.from({ length: 200 }, (_, i) => files.read({ i })))).length;",
      "value:200",
    ],
    [
      "return (await Promise.all(Array.from({ length: 21 }, (_, i) => files.read({ i })))).length;",
      "value:21",
    ],
    ["await files.hang({});", "limit:time"],
    ["await Promise.all([files.hang({}), files.hang({})]);", "limit:time"],
    ["files.hang({}); return 1;", "value:1"],
  ],
  "floods of text": [
    ["for (;;) console.log('x');", "limit:text"],
    ["for (;;) console.log('');", "limit:text"],
    ["console.log('x'.repeat(1e6));", "limit:text"],
    ["console.log(...Array(1e5).fill('x'));", "limit:text|thrown:"],
    ["for (;;) console.error('x');", "limit:text"],
    ["for (;;) console.warn({ x: 1 });", "limit:text"],
    ["for (;;) console.debug([1, 2, 3]);", "limit:text"],
    ["for (;;) console.info(null, undefined);", "limit:text"],
    ["try { for (;;) console.log('x'); } catch { return 1; }", "limit:text"],
    ["const { log } = console; for (;;) log('x');", "limit:text"],
    ["for (;;) await console.log('x');", "limit:text"],
    ["console.log('é'.repeat(40000));", "limit:text"],
    ["console.log('\\u{1F600}'.repeat(20000));", "limit:text"],
    ["console.log('\\ud800'.repeat(40000));", "limit:text"],
    ["console.log(Array(50000).fill(1));", "limit:text"],
    [
      "[1, 2].forEach(function f() { console.log('x'); [1, 2].forEach(f); });",
      "limit:text|thrown:",
    ],
    ["for (let i = 0; i < 1000; i++) console.log(i); return 1;", "value:1"],
    ["console.log = () => {}; return 1;", "thrown:"],
    ["console.log(Symbol('x'), 1n, () => 1); return 1;", "value:1"],
    ["console.log({ a: { b: new Date(0) } }); return 1;", "value:1"],
    ["const a = []; a.push(a); console.log(a); return 1;", "value:1"],
  ],
  "prototypes and what the host gives": [
    [
      "Array.prototype[Symbol.iterator] = function* () { yield { toString: () => 'a' }; }; await files.read({ a: 1 }); return 1;",
      "value:1",
    ],
    [
      "Array.prototype[Symbol.iterator] = function* () { yield { toString: () => 'a' }; }; return { a: 1 };",
      'value:{"a":1}',
    ],
    [
      "Object.prototype.toJSON = () => ({ value: '{' }); throw new Error('mine');",
      "thrown:mine",
    ],
    [
      "Object.prototype.toJSON = () => undefined; return () => 1;",
      "thrown:value is a function",
    ],
    ["Object.prototype.toJSON = () => { throw 1; }; throw 2;", "thrown:2"],
    [
      "Object.prototype.error = 'x'; return (await files.read({})).text;",
      "thrown:x",
    ],
    ["return files.constructor === Object;", "value:true"],
    ["return typeof files.read.constructor;", 'value:"undefined"'],
    ["files.read = () => 1; return 1;", "thrown:"],
    ["files.other = 1; return 1;", "thrown:"],
    ["delete files.read; return 1;", "thrown:"],
    ["Object.setPrototypeOf(files, { x: 1 }); return 1;", "thrown:"],
    ["files.__proto__.x = 1; return ({}).x;", "value:1"],
    ["globalThis.files = {}; return 1;", "thrown:"],
    [
      "Object.defineProperty(globalThis, 'files', { value: 1 }); return 1;",
      "thrown:|value:1",
    ],
    ["Object.prototype.then = (f) => f(7); return { a: 1 };", "thrown:|value:"],
    ["Object.prototype.toJSON = () => 'x'; return { a: 1 };", "thrown:|value:"],
    ["Array.prototype.toJSON = () => 'x'; return [1];", "value:[1]"],
    ["JSON.stringify = () => 'evil'; return { a: 1 };", 'value:{"a":1}'],
    [
      "JSON.parse = () => 'evil'; return typeof (await files.read({}));",
      'value:"object"',
    ],
    ["Array.isArray = () => true; return { a: 1 };", 'value:{"a":1}'],
    ["Object.keys = () => ['x']; return { a: 1 };", 'value:{"a":1}'],
    ["Promise.prototype.then = () => {}; return 1;", "value:1|thrown:"],
    ["Promise = class {}; return 1;", "value:1|thrown:"],
    [
      "String.prototype.replace = () => 'x'; return { 'a b': () => 1 };",
      "thrown:value",
    ],
    [
      "Object.getPrototypeOf = () => null; return new Date(0);",
      "thrown:value is",
    ],
    ["Number.isFinite = () => true; return NaN;", "thrown:value is NaN"],
    [
      "RegExp.prototype.test = () => { throw 1; }; return { 'a-b': () => 1 };",
      "thrown:",
    ],
    [
      "Error.prototype.toString = () => { throw 1; }; throw new Error('mine');",
      "thrown:mine",
    ],
    [
      "globalThis.JSON = null; globalThis.Object = null; return [1];",
      "value:[1]|thrown:",
    ],
    ["Object.freeze(Object.prototype); return { a: 1 };", 'value:{"a":1}'],
  ],
  getters: [
    ["return { get a() { return 1; } };", 'value:{"a":1}'],
    ["return { get a() { throw new Error('no'); } };", "thrown:no"],
    [
      "return { get a() { return { get b() { throw new RangeError('deep'); } }; } };",
      "thrown:deep",
    ],
    ["let n = 0; return { get a() { return n++; } };", 'value:{"a":0}'],
    ["return { get a() { return () => 1; } };", "thrown:value.a is a function"],
    [
      "return Object.defineProperty([], 0, { get() { throw new Error('at 0'); } });",
      "thrown:at 0",
    ],
    [
      "const o = {}; Object.defineProperty(o, 'x', { get() { return o; }, enumerable: true }); return o;",
      "thrown:nested deeper",
    ],
    ["throw { get name() { throw 1; }, message: 'm' };", "thrown:"],
    ["throw { get message() { throw 1; } };", "thrown:"],
    ["throw { message: { toString() { throw 1; } } };", "thrown:"],
    ["throw Object.create(null);", "thrown:"],
    ["throw null;", "thrown:null"],
    ["throw undefined;", "thrown:undefined"],
    ["throw Symbol('s');", "thrown:"],
    ["throw 1n;", "thrown:1"],
    ["throw function f() {};", "thrown:"],
    ["throw [1, 2];", "thrown:[1,2]"],
    ["throw new Proxy(new Error('p'), { get() { throw 1; } });", "thrown:"],
    [
      "await files.read({ get a() { throw new Error('arg'); } });",
      "thrown:arg",
    ],
    ["await files.read({ get a() { return files; } });", "thrown:|value:null"],
    ["return Reflect.construct(Object, [], Date);", "thrown:value is|value:{}"],
  ],
  thenables: [
    ["return { then(f) { f(1); } };", "value:1"],
    ["return { then(_, r) { r(new Error('rejected')); } };", "thrown:rejected"],
    ["return { then() {} };", "thrown:waits for a promise"],
    ["return await { then(f) { f({ then(g) { g(2); } }); } };", "value:2"],
    ["return { then(f) { f(this); } };", "limit:time|thrown:|limit:memory"],
    ["await new Promise(() => {});", "thrown:waits for a promise"],
    ["await Promise.race([]);", "thrown:waits for a promise"],
    ["return Promise.reject(new TypeError('r'));", "thrown:r"],
    ["Promise.reject(new Error('nobody waits')); return 1;", "value:1"],
    ["return Promise.all([Promise.resolve(1), 2]);", "value:[1,2]"],
    ["return { a: Promise.resolve(1) };", "thrown:value.a is a Promise"],
    ["return [Promise.resolve(1)];", "thrown:value[0] is a Promise"],
    ["return { then: 1 };", 'value:{"then":1}'],
    ["return { get then() { throw new Error('then'); } };", "thrown:then"],
    ["throw { then(f) { f(1); } };", "thrown:"],
    ["return { then(f) { f(1); f(2); throw 3; } };", "value:1"],
    ["await files.read({ then(f) { f(1); } });", "thrown:a function"],
    [
      "return files.read({}).then(() => { throw new Error('after'); });",
      "thrown:after",
    ],
    ["return files.read({}).finally(() => {}).then(() => 1);", "value:1"],
    ["return await Promise.any([Promise.reject(new Error('x'))]);", "thrown:"],
    [
      "return await Promise.allSettled([files.fail({})]).then((r) => r[0].status);",
      'value:"rejected"',
    ],
  ],
  generators: [
    ["return (function* () { yield 1; })();", "thrown:not a JSON"],
    ["return [...(function* () { yield 1; yield 2; })()];", "value:[1,2]"],
    [
      "return [...(function* () { for (;;) yield 1; })()].length;",
      "limit:memory|limit:time|thrown:memory",
    ],
    ["function* g() { yield* g(); } return [...g()];", "thrown:|limit:"],
    [
      "const [a] = (function* () { yield 1; for (;;) {} })(); return a;",
      "value:1",
    ],
    [
      "const g = (function* () { try { yield 1; } finally { for (;;) {} } })(); for (const x of g) break;",
      "limit:time",
    ],
    ["async function* g() { yield 1; } return g();", "thrown:not a JSON"],
    [
      "async function* g() { for (;;) yield 1; } for await (const _ of g()) ;",
      "limit:time",
    ],
    [
      "const i = { [Symbol.iterator]() { return { next() { return { value: 1, done: false }; } }; } }; return [...i].length;",
      "limit:memory|limit:time|thrown:memory",
    ],
    [
      "const i = { [Symbol.iterator]() { return this; }, next() { throw new Error('next'); } }; return [...i];",
      "thrown:next",
    ],
    [
      "return new Map((function* () { for (let i = 0; ; i++) yield [i, i]; })());",
      "limit:memory|limit:time|thrown:memory",
    ],
    [
      "const g = (function* () { yield g.next(); })(); return g.next();",
      "thrown:",
    ],
    [
      "return Object.fromEntries((function* () { yield ['a', 1]; })());",
      'value:{"a":1}',
    ],
    ["return Array.from((function* () { yield* [1, 2]; })());", "value:[1,2]"],
    [
      "const g = (function* () { return 1; })(); g.return({ then(f) { f(1); } }); return 1;",
      "value:1",
    ],
    [
      "async function* g() { try { yield 1; } finally { await new Promise(() => {}); } } for await (const _ of g()) break;",
      "thrown:waits for a promise|value:null",
    ],
    [
      "const g = (async function* () { yield files.read({}); })(); return (await g.next()).done;",
      "value:false",
    ],
    [
      "return (function* () {}).constructor('return 1');",
      "thrown:not a function",
    ],
    [
      "return (async function* () {}).constructor('return 1');",
      "thrown:not a function",
    ],
    [
      "return (async function () {}).constructor('return 1');",
      "thrown:not a function",
    ],
    [
      "return (function () {}).constructor('return 1');",
      "thrown:not a function",
    ],
  ],
  "values that are too large": [
    ["return 'x'.repeat(2e6);", "limit:value"],
    ["return 'é'.repeat(600000);", "limit:value"],
    ["return Array(600000).fill(1);", "limit:value"],
    [
      "return Object.fromEntries(Array.from({ length: 100000 }, (_, i) => [`key${i}`, i]));",
      "limit:value|limit:memory|limit:time|thrown:memory",
    ],
    ["return [Array(1000).fill('x'.repeat(2000))];", "limit:value"],
    ["await files.read({ x: 'y'.repeat(2e6) });", "limit:argument"],
    ["await files.read({ x: Array(600000).fill(1) });", "limit:argument"],
    ["await files.read({ x: 'é'.repeat(600000) });", "limit:argument"],
    [
      "try { await files.read({ x: 'y'.repeat(2e6) }); } catch { return 1; }",
      "limit:argument",
    ],
    ["files.read({ x: 'y'.repeat(2e6) }); return 1;", "limit:argument"],
    // Within the limits, but much work for the host to read.
    [
      "const list = Array(200000).fill({}); await files.read({ list }); return 1;",
      "value:1",
    ],
    [
      "const list = Array(10000).fill({}); return (await Promise.all(Array.from({ length: 40 }, () => files.read({ list })))).length;",
      "value:40",
    ],
    ["return Array(100000).fill({});", "value:[{}"],
    ["await files.large({});", "thrown:result of a call"],
    [
      "try { await files.large({}); } catch (error) { return error.message.length > 10; }",
      "value:true",
    ],
    [
      "const s = 'x'.repeat(9e5); await files.read({ s }); return s.length;",
      "value:900000",
    ],
    ["throw new Error('x'.repeat(2e6));", "limit:value"],
    ["return '\\u0000'.repeat(300000);", "limit:value"],
    ["return '\"'.repeat(600000);", "limit:value"],
    ["return '\\ud800'.repeat(300000);", "limit:value"],
    ["return { ['k'.repeat(2e6)]: 1 };", "limit:value"],
    ["let v = 1; for (let i = 0; i < 99; i++) v = [v]; return v;", "value:"],
    [
      "let v = 1; for (let i = 0; i < 200; i++) v = [v]; return v;",
      "thrown:nested deeper",
    ],
    [
      "let v = {}; for (let i = 0; i < 5000; i++) v = { v }; await files.read(v);",
      "thrown:nested deeper",
    ],
  ],
  "values that are not JSON": [
    ["return () => 1;", "thrown:value is a function"],
    ["return Symbol('x');", "thrown:value is a symbol"],
    ["return 1n;", "thrown:value is a bigint"],
    ["return NaN;", "thrown:value is NaN"],
    ["return { a: [Infinity] };", "thrown:value.a[0] is Infinity"],
    ["return new Date(0);", "thrown:value is a Date"],
    ["return new Map();", "thrown:value is a Map"],
    ["return new Set([1]);", "thrown:value is a Set"],
    ["return /x/;", "thrown:value is a RegExp"],
    ["return new Error('x');", "thrown:value is a Error"],
    ["return new Uint8Array(4);", "thrown:value is a Uint8Array"],
    ["return new (class Point { x = 1; })();", "thrown:value is a Point"],
    ["return { 'a b': [1, undefined] };", "thrown:a b"],
    ["return [, 1];", "thrown:value[0] is a undefined"],
    ["return { a: undefined };", "value:{}"],
    ["return undefined;", "value:null"],
    ["return;", "value:null"],
    ["return Object.create({ inherited: 1 });", "thrown:not a JSON"],
    ["return Object.create(null);", "value:{}"],
    ["const a = {}; a.a = a; return a;", "thrown:nested deeper"],
    ["return { __proto__: null, a: 1 };", 'value:{"a":1}'],
    ["return JSON.parse('{\"__proto__\":1}');", 'value:{"__proto__":1}'],
    ["return globalThis;", "thrown:|value:{}"],
    ["await files.read(() => 1);", "thrown:the argument is a function"],
    ["await files.read({}, {});", "thrown:one object"],
  ],
  "ways out that other sandboxes had": [
    [
      "return typeof process + typeof require + typeof module;",
      'value:"undefinedundefinedundefined"',
    ],
    [
      "return typeof fetch + typeof XMLHttpRequest + typeof WebSocket;",
      'value:"undefinedundefinedundefined"',
    ],
    [
      "return typeof setTimeout + typeof setInterval + typeof setImmediate;",
      'value:"undefinedundefinedundefined"',
    ],
    ["return typeof WebAssembly + typeof SharedArrayBuffer;", "value:"],
    [
      "return typeof std + typeof os + typeof bjson;",
      'value:"undefinedundefinedundefined"',
    ],
    [
      "return typeof Worker + typeof parentPort + typeof workerData;",
      'value:"undefinedundefinedundefined"',
    ],
    [
      "return this === undefined || typeof this.process;",
      'value:true|value:"undefined"',
    ],
    ["return eval('1 + 1');", "thrown:not a function"],
    ["return (0, eval)('this');", "thrown:not a function"],
    ["return new Function('return process')();", "thrown:"],
    ["return Function('return this')();", "thrown:not a function"],
    [
      "return Object.getPrototypeOf(() => {}).constructor('return process')();",
      "thrown:not a function",
    ],
    ["return [].map.constructor('return process')();", "thrown:not a function"],
    [
      "return files.read.constructor('return process')();",
      "thrown:not a function",
    ],
    [
      "return (await files.read({})).constructor.constructor('return process')();",
      "thrown:not a function",
    ],
    [
      "try { await files.fail({}); } catch (e) { return e.constructor.constructor('return process')(); }",
      "thrown:not a function",
    ],
    [
      "try { null.x; } catch (e) { return e.constructor.constructor('return process')(); }",
      "thrown:not a function",
    ],
    [
      "Error.prepareStackTrace = (_, frames) => frames[0].getThis(); return new Error('x').stack instanceof Object;",
      "value:false|thrown:",
    ],
    [
      "return new Proxy(() => {}, { apply: (t, self) => typeof self?.process })();",
      'value:"undefined"',
    ],
    [
      "const e = new Error(); e.name = Symbol(); return e.stack === undefined || typeof e.stack;",
      "value:|thrown:",
    ],
    [
      "return Object.getOwnPropertyNames(globalThis).filter((n) => /process|require|call|print|host/i.test(n));",
      "value:[]",
    ],
    ["return import('node:fs');", "thrown:|types:"],
    [
      "return await import('fs').then((m) => typeof m.readFileSync);",
      "thrown:|types:",
    ],
    ["})(); for (;;) {} (async () => {", "limit:time|thrown:"],
    [
      "}); globalThis.stolen = 1; (async () => { return globalThis.stolen;",
      "thrown:|value:|types:",
    ],
    [
      "const { read } = files; return typeof read.caller + typeof read.arguments;",
      "thrown:|value:",
    ],
    [
      "return Reflect.getOwnPropertyDescriptor(globalThis, 'files').writable;",
      "value:false",
    ],
    ["return new Error('x').stack.includes('/');", "value:false|value:true"],
    [
      "return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
      "thrown:|limit:time",
    ],
    ["debugger; return 1;", "value:1"],
    ["with ({}) {} return 1;", "thrown:not JavaScript|types:"],
  ],
};

export const hostilePrograms: readonly HostileProgram[] = Object.entries(
  rows,
).flatMap(([attacks, list]) =>
  list.map(([program, answers]) => ({ attacks, program, answers })),
);
