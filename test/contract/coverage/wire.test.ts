import { expect, test } from 'vitest';
import { LIMITS } from '../../../src/wire/limits.ts';
import {
  AUTOMATION_STATUSES,
  AUTOMATION_TRIGGERS,
  CONTACT_STATUSES,
  ENROLLMENT_OUTCOMES,
  ERRORS,
  EVENT_TYPES,
  ID_PREFIXES,
  RESERVED_ATTRIBUTE_KEYS,
  SCOPES,
  SUPPRESSION_EVENT_REASONS,
  SUPPRESSION_REASONS,
} from '../../../src/wire/service-words.ts';
import { ERROR_TABLE, LIMIT_TABLE, RETRY_GUIDANCE, WORDS } from './document.ts';

test('Errors: src/wire lists exactly the documented statuses and codes', () => {
  const pairs = Object.entries(ERRORS).flatMap(([code, row]) => row.statuses.map((status) => `${status} ${code}`));
  expect(pairs.sort()).toEqual(ERROR_TABLE.map(([status, code]) => `${status} ${code}`).sort());
});

test('Errors, retry guidance: src/wire holds the guidance for each code', () => {
  const advice = Object.fromEntries(Object.entries(ERRORS).map(([code, row]) => [code, row.retry]));
  const notStated = Object.fromEntries(ERROR_TABLE.map(([, code]) => [code, 'not_stated']));
  expect(advice).toEqual({ ...notStated, ...RETRY_GUIDANCE });
});

test('Limits: src/wire lists exactly the documented limits', () => {
  expect(LIMITS).toEqual(LIMIT_TABLE);
});

test('Resources, States, Events: src/wire lists the documented values', () => {
  const wire = {
    automationStatuses: AUTOMATION_STATUSES,
    automationTriggers: AUTOMATION_TRIGGERS,
    contactStatuses: CONTACT_STATUSES,
    suppressionReasons: [...SUPPRESSION_REASONS].sort(),
    suppressionEventReasons: SUPPRESSION_EVENT_REASONS,
    outcomes: ENROLLMENT_OUTCOMES,
    eventTypes: EVENT_TYPES,
    scopes: SCOPES,
    idPrefixes: Object.values(ID_PREFIXES),
    reservedAttributeKeys: RESERVED_ATTRIBUTE_KEYS,
  };
  expect(wire).toEqual({ ...WORDS, suppressionReasons: [...WORDS.suppressionReasons].sort() });
});
