/**
 * Lets a program tell the time of a clock that is wrong by some milliseconds.
 * Import it first.
 */
const { now } = Date;
let shift = 0;

Date.now = () => now() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length ? args : [Date.now()], self) as Date,
});

export const shiftClock = (milliseconds: number): void =>
  void (shift = milliseconds);
