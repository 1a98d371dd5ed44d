import { describe, expect, test } from 'vitest';
import { numberedNames, rowsOf, runNight } from '../../../support/nights.ts';
import { createWorld } from '../../../support/world.ts';

const LIMIT = /the limit is (?:[\d,]+ (?:person|people)|\d+ %)(?:$|\. This may be another list)/;
const EMPTY = /^the list is empty, and the last one was not/;
const SHARED = /^the last list of this name lacked/;

/** The exit code of the next night, the message of its check of missing people, and how many people it opted out. */
async function nightAfter(earlier: readonly (readonly string[])[], rows: readonly string[], flags: string) {
  const world = await createWorld();
  for (const names of earlier) {
    await runNight(world, rowsOf(names), { flags: '--gone report --max-gone 100%' });
  }
  const { code, json } = await runNight(world, rowsOf(rows), { flags });
  const { message } = json.findings.find(({ check }: { check: string }) => check === 'gone');
  const optedOut = world.emulator.admin.contacts().filter(({ status }) => status === 'unsubscribed').length;
  return { code, message, optedOut };
}

describe('the limit of people who are missing in a list', () => {
  test.each([
    ['1 of 20 with 5%', 20, 19, '--gone report', 0],
    ['2 of 20 with 5%', 20, 18, '--gone report', 5],
    ['1 of 19 with 5%', 19, 18, '--gone report', 5],
    ['1 of 20 with 5%, to unsubscribe', 20, 19, '--gone unsubscribe', 0],
    ['2 of 20 with 5%, to unsubscribe', 20, 18, '--gone unsubscribe', 5],
    ['3 of 9 with 3', 9, 6, '--gone report --max-gone 3', 0],
    ['4 of 9 with 3', 9, 5, '--gone report --max-gone 3', 5],
    ['1 of 9 with 0', 9, 8, '--gone unsubscribe --max-gone 0', 5],
    ['0 of 9 with 0', 9, 9, '--gone unsubscribe --max-gone 0', 0],
  ])('stops only when more people are missing than the limit: %s (G7)', async (_, before, now, flags, code) => {
    const result = await nightAfter([numberedNames(before)], numberedNames(now), flags);
    expect(result).toEqual({
      code,
      message: code === 0 ? expect.not.stringMatching(LIMIT) : expect.stringMatching(LIMIT),
      optedOut: code === 0 && flags.startsWith('--gone unsubscribe') ? before - now : 0,
    });
  });

  test.each([
    ['1 more is missing, to report', 36, '--gone report', 0, /^4 people .* are missing in this one: gone.csv /],
    ['2 more are missing, to report', 35, '--gone report', 5, /^2 people of 37 of earlier lists are missing/],
    ['1 more is missing, to unsubscribe', 36, '--gone unsubscribe', 5, /^4 people of 40 of earlier lists are missing/],
  ])('counts people missing in earlier lists only to unsubscribe them: %s (G7)', async (_, now, flags, code, says) => {
    const result = await nightAfter([numberedNames(40), numberedNames(37)], numberedNames(now), flags);
    expect(result).toEqual({ code, message: expect.stringMatching(says), optedOut: 0 });
  });

  test.each([1, 2, 3])('stops at an empty list after a list of %i rows, whatever the limit (G7)', async (count) => {
    for (const flags of ['--gone report --max-gone 100%', `--gone unsubscribe --max-gone ${count}`]) {
      const result = await nightAfter([numberedNames(count)], [], flags);
      expect(result).toEqual({ code: 5, message: expect.stringMatching(EMPTY), optedOut: 0 });
    }
  });

  test.each([
    [2, 0],
    [3, 5],
  ])('stops only when over 5 % of the people come back at once: %i of 40 (G7)', async (back, code) => {
    const all = numberedNames(40);
    const result = await nightAfter([all, all.slice(back)], all.slice(0, -1), '--gone unsubscribe');
    const message = code === 0 ? expect.not.stringMatching(SHARED) : expect.stringMatching(SHARED);
    expect(result).toEqual({ code, message, optedOut: code === 0 ? 1 : 0 });
  });
});
