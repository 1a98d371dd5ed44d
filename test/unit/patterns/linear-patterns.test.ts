import { expect, test } from 'vitest';
import { createCounter, ENDLESS, type IsIn, setsFor } from './count-steps.ts';
import { type HardText, hardTexts } from './hard-texts.ts';
import { parsePattern } from './parse-pattern.ts';
import { patternsOfSource } from './patterns-of-source.ts';

/** Lengths of a quick look, and of the look that decides. A limit such as `{0,60}` is far below the second. */
const QUICK = [50, 200] as const;
// A longer text could overflow the stack, because the counter calls itself for each letter.
const SURE = [150, 600] as const;
// Four times the text takes 4 times the steps in linear time, and 16 times in quadratic time.
const MOST_GROWTH = 8;
const FEW_STEPS = 20;
// No pattern matches this letter, so a search does not end early.
const END = '\u0001';

/** How patterns begin that never meet a long text: those for the digits of a number, and for the end of a cell. */
const OF_SHORT_TEXTS = ['\\B(?=(\\d{3})+(?!\\d))', '(?<=@[^\\s@]+)[-_+#*!.;,|(]+(?:unsub|'];

function isSlow(count: (text: string) => number, { before, unit }: HardText, [few, many]: readonly [number, number]) {
  const textOf = (length: number) => before + unit.repeat(Math.ceil(length / unit.length)) + END;
  const steps = count(textOf(many));
  return steps >= ENDLESS || (steps > many * FEW_STEPS && steps / count(textOf(few)) > MOST_GROWTH);
}

/** The first texts that make a search with this pattern slow. */
function slowTexts(source: string, flags: string, most: number): readonly HardText[] {
  const pattern = parsePattern(source);
  const isIn: IsIn = setsFor(flags);
  const count = createCounter(pattern, flags, isIn);
  return Iterator.from(hardTexts(pattern, isIn))
    .filter((text) => isSlow(count, text, QUICK) && isSlow(count, text, SURE))
    .take(most)
    .toArray();
}

test('finds that a slow pattern takes more than linear steps', () => {
  const slow = ['a+$', '\\s*;', '[^,]+=', 'x.*y', '(?:a|a)+b', '(?:\\w+ ?)+$', '"(?:[^"]|a)*"'];
  const quick = ['(?<!a)a+$', '(?<!\\s)\\s*;', '^\\s*;', 'x.{0,60}y', 'a+b?', '(?:^| )(?:foo|bar)(?= |$)'];
  const found = [...slow, ...quick].map((source) => [source, slowTexts(source, 'u', 1).length > 0]);
  expect(found).toEqual([...slow.map((source) => [source, true]), ...quick.map((source) => [source, false])]);
});

test('searches a huge cell with each pattern in linear steps (D4)', async () => {
  const patterns = await patternsOfSource();
  // About 490 stand in the text, and 70 are built by modules.
  expect(patterns.length).toBeGreaterThan(550);
  const slow = patterns
    .filter(({ source }) => !OF_SHORT_TEXTS.some((start) => source.startsWith(start)))
    .map(({ source, flags, file }) => ({ source, file, texts: slowTexts(source, flags, 2) }))
    .filter(({ texts }) => texts.length > 0);
  expect(slow).toEqual([]);
});
