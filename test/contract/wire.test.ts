import { expect, test } from 'vitest';
import { ERRORS } from '../../src/wire/error-codes.ts';
import { LIMITS } from '../../src/wire/limits.ts';
import {
  AUTOMATION_STATUSES,
  AUTOMATION_TRIGGERS,
  CONTACT_STATUSES,
  ENROLLMENT_OUTCOMES,
  EVENT_TYPES,
  ID_PREFIXES,
  RESERVED_ATTRIBUTE_KEYS,
  SCOPES,
  SUPPRESSION_EVENT_REASONS,
  SUPPRESSION_REASONS,
} from '../../src/wire/service-words.ts';
import { ERROR_TABLE, LIMIT_TABLE, RETRY_GUIDANCE, WORDS } from './document.ts';

test('Errors: lists exactly the statuses and codes of the table in wire', () => {
  const pairs = Object.entries(ERRORS).flatMap(([code, row]) => row.statuses.map((status) => `${status} ${code}`));
  expect(pairs.sort()).toEqual(ERROR_TABLE.map(([status, code]) => `${status} ${code}`).sort());
});

test('Errors, retry guidance: lists the guidance for every code in wire', () => {
  const advice = Object.fromEntries(Object.entries(ERRORS).map(([code, row]) => [code, row.retry]));
  const notStated = Object.fromEntries(ERROR_TABLE.map(([, code]) => [code, 'not_stated']));
  expect(advice).toEqual({ ...notStated, ...RETRY_GUIDANCE });
});

test('Limits: lists exactly the limits of the table in wire', () => {
  expect(LIMITS).toEqual(LIMIT_TABLE);
});

test('Resources, States, Events: lists the closed sets of words in wire', () => {
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
