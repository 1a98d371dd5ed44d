import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VARIANTS } from '../../../src/emulator/context/variants.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { createFaults } from '../../../src/emulator/faults/script.ts';
import { OPEN_POINTS } from '../open-points/all.ts';
import { readClaims } from './claims.ts';
import { readClearSentences, readNotes } from './notes.ts';
import { readTitles } from './titles.ts';

const NOTES = readNotes();
const CLAIMS = readClaims();
const isQuoted = (quote: string) => CLAIMS.some(({ claim }) => claim.includes(quote));
const choices = (text: string) => [...text.matchAll(/`(\w+=\w+)`/g)].map(([, choice]) => choice);

describe('the notes about what the service document leaves open, docs/service-notes.md', () => {
  test('service-notes.md names exactly the variants that differ from our reading', () => {
    const played = NOTES.flatMap(({ other }) => choices(other));
    const known = VARIANTS.flatMap(({ name, readings }) => readings.slice(1).map((value) => `${name}=${value}`));
    expect(played.sort()).toEqual(known.sort());
  });

  test('service-notes.md gives the default of each variant as our reading', () => {
    const defaults = NOTES.flatMap(({ reading }) => choices(reading));
    expect(defaults.sort()).toEqual(VARIANTS.map(({ name, readings }) => `${name}=${readings[0]}`).sort());
  });

  test('service-notes.md gives a reason for each point without a variant', () => {
    const silent = NOTES.filter(({ other }) => choices(other).length === 0 && !/^none[:,] \w+/.test(other));
    expect(silent).toEqual([]);
  });

  test('service-notes.md lists each open point once, with an exact quote', () => {
    const points = NOTES.map(({ point }) => point);
    expect(points.length).toBeGreaterThan(60);
    expect(points.filter((point, index) => points.indexOf(point) !== index)).toEqual([]);
    expect(NOTES.filter(({ quote }) => !isQuoted(quote)).map(({ point, quote }) => `${point}: ${quote}`)).toEqual([]);
  });

  test('each test that service-notes.md names exists exactly once', () => {
    const titles = readTitles(join(import.meta.dirname, '../..'));
    const isMissing = (name: string) => titles.filter((title) => title === name).length !== 1;
    expect(NOTES.flatMap(({ point, tests }) => tests.filter(isMissing).map((name) => `${point}: ${name}`))).toEqual([]);
  });

  test('service-notes.md cites open-points.test.ts for each point tested there', () => {
    const named = NOTES.filter(({ tests }) => tests.some((name) => name.endsWith('of $point')));
    expect(new Set(named.map(({ point }) => point))).toEqual(new Set(OPEN_POINTS.map(({ point }) => point)));
  });

  test('service-notes.md quotes clear sentences exactly and shows valid faults', () => {
    const sentences = readClearSentences();
    expect(sentences.filter(({ quote }) => !isQuoted(quote))).toEqual([]);
    const faults = sentences.flatMap(({ how }) => /^`(\{.*\})`$/.exec(how)?.[1] ?? []);
    expect(faults).toHaveLength(5);
    expect(
      createFaults(
        faults.map((text) => JSON.parse(text) as FaultRule),
        () => 0,
      ).rules(),
    ).toHaveLength(5);
  });

  test('service-notes.md holds each open point that claims.json names', () => {
    const points = new Set(NOTES.map(({ point }) => point));
    expect(CLAIMS.flatMap(({ open = [] }) => open.filter((name) => !points.has(name)))).toEqual([]);
  });
});
