import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../../../src/base/lib/duration.ts';
import { thrownBy } from '../thrown.ts';

test.each([
  ['0s', 0],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  [' 1h30m ', 5_400_000],
])('reads the duration %s as %d ms', (text, ms) => {
  expect(parseDuration(text, '--wait')).toBe(ms);
});

describe('an invalid duration', () => {
  test.each(['', '30', 'm', '1.5h', '-5m', '5 m', '30m1h', '1w', '9999999999999999d'])(
    'refuses the invalid duration %j, and names the flag',
    (text) => {
      expect(thrownBy(() => parseDuration(text, '--max-wait'))).toEqual({
        exit: 2,
        code: 'invalid_duration',
        message: `--max-wait: not a duration: ${JSON.stringify(text)}`,
        hint: 'Durations are 90s, 30m, 2h or 1d. For example:\n--max-wait 30m',
      });
    },
  );
});

test.each([
  [-5, '0 s'],
  [0, '0 s'],
  [1, '1 s'],
  [40_000, '40 s'],
  [59_500, '1 min'],
  [320_000, '5 min 20 s'],
  [3_599_500, '1 h'],
  [3_601_000, '1 h 1 min'],
  [3_900_000, '1 h 5 min'],
  [86_399_000, '1 d'],
  [93_600_000, '1 d 2 h'],
  [172_799_000, '2 d'],
])('formats %d ms as the duration %s, rounded up', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
