// Which test files can find a mutant: those that come to its step.
import { stepAt, stepsIn } from "./marks.mjs";
import { namesAt, readersIn, stepsReading } from "./readers.mjs";

const words = (text) => new Set(text.match(/[\p{ID_Continue}$]+/gu));

/**
 * A function that takes a mutant and test files, the likely first, and returns
 * those that come to its step: in their own process (`steps`), or in a program
 * that they start (`program`). Each comes to what runs while a module is loaded:
 * there, those are taken that come to a step which reads what is changed.
 * `texts` are the sources, `others` what loads them: tests, and what is generated.
 */
export function makeReach(texts, others, notes) {
  const mentions = readersIn(texts);
  const isTest = (path) => path.endsWith(".test.ts");
  const named = new Map([...others].map(([path, text]) => [path, words(text)]));
  const helpers = [...named].filter(([path]) => !isTest(path));
  /** Late by a place for each second that it takes. */
  const inTurn = (tests) =>
    tests
      .map((test, at) => [test, at + (notes.get(test)?.time ?? 0) / 1_000])
      .sort(([, one], [, other]) => one - other)
      .map(([test]) => test);

  /** The tests that come to steps which read names; undefined for all. */
  function readingOf(names) {
    const reading = names.length > 0 && stepsReading(names, mentions);
    if (!reading) return undefined;
    const has = (known) => [...reading.names].some((name) => known?.has(name));
    return helpers.some(([, known]) => has(known))
      ? undefined
      : { ...reading, isNamedBy: (test) => has(named.get(test)) };
  }

  return ({ path, start }, tests, where = "steps") => {
    const text = texts.get(path);
    // A test that noted nothing, because it ended early, may come to each.
    const comesTo = (test, [file, step]) =>
      notes.has(test)
        ? notes.get(test)[where][file]?.includes(step)
        : where === "steps";
    const step = stepAt(stepsIn(path, text), start);
    if (step >= 0)
      return inTurn(tests.filter((test) => comesTo(test, [path, step])));
    const reading = readingOf(namesAt(path, text, start));
    if (reading === undefined) return inTurn(tests);
    return inTurn(
      tests.filter(
        (test) =>
          reading.isNamedBy(test) ||
          reading.steps.some((one) => comesTo(test, one)),
      ),
    );
  };
}
