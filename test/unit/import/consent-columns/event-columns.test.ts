import { expect, test } from 'vitest';
import {
  holdsEvents,
  meaningOfEvents,
  meaningOfLaterValues,
} from '../../../../src/import/consent-columns/event-columns.ts';

const EITHER = { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };
const AGREED = { meaning: 'agreed', asksAboutUnknown: false, filledMeansHappened: false };
const END = { meaning: 'withheld', asksAboutUnknown: false, filledMeansHappened: false, needsConfirmation: true };

test.each([
  ['Newsletter', [], AGREED],
  ['Kein Newsletter', [], EITHER],
  ['Newsletter stop', [], END],
  ['Not left', ['no'], EITHER],
  ['Has not opted out', ['no'], EITHER],
  ['Not left', ['yes'], END],
  ['Not left', [], END],
  ['Left', ['no'], END],
  ['Left', ['yes', '2024-05-06'], END],
  ['Out', [''], END],
  ['Left', ['3'], undefined],
  ['Left', ['1', '3'], undefined],
  ['Bounces', ['7'], undefined],
  ['No returns', ['no'], END],
  ['Member until', ['no'], END],
  ['Member until', ['yes'], undefined],
  ['City', ['no'], undefined],
  ['City', [], undefined],
])('derives the meaning of the header "%s" from the later cells %j (C10)', (header, cells, meaning) => {
  expect(meaningOfLaterValues(header, cells)).toEqual(meaning);
});

test.each([
  ['Returned', ['yes', 'no'], { ...END, asksAboutUnknown: true }],
  ['Returned', ['yes'], EITHER],
  ['Not left', ['yes', 'no'], EITHER],
  ['Ban ended', ['yes', 'no'], EITHER],
  ['Mail KO', ['no'], EITHER],
])('derives the meaning of the header "%s" from the events %j (C10)', (header, cells, meaning) => {
  expect(meaningOfEvents(header, cells)).toEqual(meaning);
});

test.each([
  [['yes'], true],
  [['no', '2024-05-06'], true],
  [['no', ' 1999 '], true],
  [['no'], false],
  [['yes', 'Bonn'], false],
  [['1899'], false],
  [[], false],
])('recognizes a column of events by its cells: %j (C10)', (cells, expected) => {
  expect(holdsEvents(cells)).toBe(expected);
});
