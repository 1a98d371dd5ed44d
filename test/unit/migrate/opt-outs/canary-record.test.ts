import { describe, expect, test } from 'vitest';
import { contactBody, createListBatch } from '../../../../src/import/batch/cut-batches.ts';
import { mustSendAlone } from '../../../../src/migrate/canary/batches-alone.ts';
import {
  type CanaryRecord,
  contactsAtRisk,
  type KnownAudience,
} from '../../../../src/migrate/opt-outs/canary-record.ts';
import { mustCountOptOuts } from '../../../../src/migrate/opt-outs/known-audience.ts';
import { withProofs } from '../../../../src/migrate/opt-outs/proofs.ts';

const NONE = { fieldsProven: false, signUpProven: false, keptStatuses: [] };
const ALL = { fieldsProven: true, signUpProven: true, keptStatuses: ['unsubscribed'] };
const CHOSEN: CanaryRecord = { audienceId: 'aud_1', probes: [] };
const READ: CanaryRecord = { ...CHOSEN, ...ALL, batchesRead: 0 };
const batchAlone = (index: number) => ({ index, rollBack: [], count: undefined });
const alone = (index: number) => [batchAlone(index)];

const AUDIENCE: KnownAudience = {
  audienceId: 'aud_1',
  optedOut: new Map(),
  othersOptedOut: false,
  othersUnconfirmed: false,
  unknownStatuses: new Set(),
  subscribesPeople: true,
  optOutRows: 0,
  mustLookUp: undefined,
};
const LEFT = { ...AUDIENCE, optedOut: new Map([['ana@example.com', { status: 'unsubscribed' }]]) };

function goesAlone(
  record: CanaryRecord,
  { audience = AUDIENCE, index = 3, email = 'ana@example.com', hasResponse = false, mustProveMore = false },
) {
  const items = [{ source: 0, line: 2, contact: { email } }];
  return mustSendAlone(record, audience, createListBatch(index, Int32Array.of(0, 2), contactBody(items)), {
    hasResponse,
    mustProveMore,
  });
}

describe('what the canary and the batches after it proved about the service', () => {
  const CASES = [
    ['the canary proved everything', READ, {}, false],
    ['the effect of `upsert: false` is not proven', READ, { mustProveMore: true }, true],
    [
      'the effect of `upsert: false` is not proven, and the batch was sent',
      READ,
      { mustProveMore: true, hasResponse: true },
      false,
    ],
    ['no field was read back', { ...READ, fieldsProven: false }, {}, true],
    ['no new person was read back', { ...READ, signUpProven: false }, {}, true],
    [
      'no new person was read back, and the list has opt-outs only',
      { ...READ, signUpProven: false },
      { audience: { ...AUDIENCE, subscribesPeople: false } },
      false,
    ],
    [
      'the batch has an opted-out person, and nothing proved that opt-outs stay',
      { ...READ, keptStatuses: [] },
      { audience: LEFT },
      true,
    ],
    ['the batch has an opted-out person, and opt-outs stay', READ, { audience: LEFT }, false],
    [
      'the batch has a person who bounced, and only opt-outs stay',
      READ,
      { audience: { ...AUDIENCE, optedOut: new Map([['ana@example.com', { status: 'bounced' }]]) } },
      true,
    ],
    [
      'the opted-out person is in another batch',
      { ...READ, keptStatuses: [] },
      { audience: LEFT, email: 'ben@example.com' },
      false,
    ],
    [
      'svc did not count the opt-outs on unread pages yet',
      { ...READ, keptStatuses: [] },
      { audience: { ...AUDIENCE, othersOptedOut: true } },
      true,
    ],
    [
      'svc counted the opt-outs on unread pages',
      { ...READ, keptStatuses: [], batchesRead: 1 },
      { audience: { ...AUDIENCE, othersOptedOut: true } },
      false,
    ],
    ['an earlier process began to send the batch alone', { ...READ, alone: alone(3) }, { hasResponse: true }, true],
    ['the service responded to the batch', { ...READ, ...NONE }, { hasResponse: true }, false],
    ['the batch was read back', { ...READ, ...NONE, batchesRead: 4 }, { hasResponse: true }, false],
    ['a replay was read back, which may be outdated', { ...READ, ...NONE, batchesRead: 4 }, {}, true],
  ] as const;

  test.each(CASES.filter(([, , , alone]) => alone))('sends a batch alone when %s (C1)', (_, record, options) => {
    expect(goesAlone(record, options)).toBe(true);
  });

  test.each(CASES.filter(([, , , alone]) => !alone))(
    'does not send a batch alone when %s (C1)',
    (_, record, options) => {
      expect(goesAlone(record, options)).toBe(false);
    },
  );

  test('does not parse a batch when the opt-outs are proven to stay (C1)', () => {
    const unparsed = createListBatch(3, Int32Array.of(0, 2), Buffer.from('no JSON'));
    const proof = { hasResponse: false, mustProveMore: false };
    expect(mustSendAlone(READ, LEFT, unparsed, proof)).toBe(false);
    expect(() => mustSendAlone({ ...READ, keptStatuses: [] }, LEFT, unparsed, proof)).toThrow();
  });

  test('keeps what the canary proved when a later batch proves more (C1)', () => {
    const afterCanary = withProofs(CHOSEN, { ...NONE, fieldsProven: true });
    const afterBatch = withProofs({ ...afterCanary, alone: alone(4) }, { ...NONE, signUpProven: true });

    expect([afterCanary.fieldsProven, afterCanary.signUpProven]).toEqual([true, false]);
    expect(afterBatch).toMatchObject({ fieldsProven: true, signUpProven: true, keptStatuses: [], alone: alone(4) });
  });

  test('sends the next batch alone when the recorded canary proved nothing (C1)', () => {
    const record = { ...CHOSEN, batchesRead: 0 };

    expect(goesAlone(record, {})).toBe(true);
    expect(mustCountOptOuts(record, { ...AUDIENCE, othersOptedOut: true })).toBe(true);
  });

  test('rolls a person back once when two requests signed them up (C1)', () => {
    const optOut = (line: number) => ({
      source: 0,
      line,
      contact: { email: `p${line}@example.com`, status: 'unsubscribed' as const },
    });
    const probes = [1, 2].map((line) => ({ ...optOut(line), before: 'opted out' as const }));
    const record = { ...CHOSEN, probes, alone: [{ ...batchAlone(4), rollBack: [optOut(2), optOut(3)] }] };
    const linesOf = (request?: string) =>
      contactsAtRisk(record, (name) => request === undefined || name === request).map(({ line }) => line);
    expect([linesOf(), linesOf('canary'), linesOf('4'), linesOf('none')]).toEqual([[1, 2, 3], [1, 2], [2, 3], []]);
  });
});
