import { afterEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import {
  createAudience,
  deleteAudience,
  getAudience,
  listAudiences,
  renameAudience,
} from '../../../src/api/resources/audiences.ts';
import { enrollmentKey, listAutomations, postEnrollment } from '../../../src/api/resources/automations.ts';
import {
  contactBatchKey,
  findContact,
  getContact,
  listContacts,
  postContactBatch,
} from '../../../src/api/resources/contacts.ts';
import { sendEmail } from '../../../src/api/resources/emails.ts';
import {
  firstSuppression,
  listSuppressions,
  postSuppressions,
  suppressionsKey,
} from '../../../src/api/resources/suppressions.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listDeliveries,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from '../../../src/api/resources/webhooks.ts';
import { creationKey, type KeySource } from '../../../src/api/retry/key-source.ts';
import { runConcurrently } from '../../../src/base/lib/concurrency.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { clientOf } from './emulated-client.ts';
import { drive, START } from './service.ts';

const emulators: Emulator[] = [];

afterEach(async () => {
  await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
});

async function open(options: Partial<EmulatorOptions> = {}) {
  const clock = createManualClock(START);
  let drawn = 0;
  const randomHex = (length: number) => {
    drawn += 1;
    return drawn.toString(16).padStart(length, '0');
  };
  const emulator = await createEmulator({ clock, randomHex, ...options });
  emulators.push(emulator);
  const client = clientOf(emulator, { clock });
  return { client, emulator, clock, run: <T>(promise: Promise<T>) => drive(clock, promise) };
}

const keySource = (keyForVersion: KeySource['keyForVersion']): KeySource => ({
  keyForVersion,
  keyVersion: 0,
  beforeNewKey: () => {},
  firstSentAt: undefined,
  outcomeUnknown: undefined,
  beforeAttempt: undefined,
  noteSentByOtherMachine: undefined,
  isStale: undefined,
});
const created = (op: string) => keySource((keyVersion) => creationKey(op, '0123456789abcdef01234567', keyVersion));
const bytes = (fields: object) => Buffer.from(JSON.stringify(fields));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) {
    out.push(item);
  }
  return out;
}

function postPeople(client: Client, audienceId: string, emails: readonly string[]) {
  const body = bytes({ upsert: true, contacts: emails.map((email) => ({ email })) });
  const batch = { audienceId, body, keySuffix: undefined, op: undefined };
  return postContactBatch(client, batch, { keySource: keySource(contactBatchKey(client, batch)) });
}

describe('the client against the emulator', () => {
  test('the client reads and writes audiences of the emulator', async () => {
    const { client, run } = await open();
    const end = await run(createAudience(client, 'News', { keySource: created('audience') }));
    const id = end.kind === 'accepted' ? end.value.id : '';
    await run(renameAudience(client, id, { name: 'Letters' }));
    expect(await run(getAudience(client, id))).toMatchObject({
      name: 'Letters',
      contact_counts: { subscribed: 0, unsubscribed: 0, total: 0 },
    });
    expect((await run(all(listAudiences(client, { limit: 1 })))).map(({ name }) => name)).toContain('Letters');
    await run(deleteAudience(client, id));
    await expect(run(getAudience(client, id))).rejects.toMatchObject({ code: 'not_found', exit: 2 });
  });

  test('the client reads and writes contacts of the emulator', async () => {
    const { client, emulator, run } = await open();
    const { audienceId } = emulator;
    const emails = ['ana@example.com', 'a/b+c@example.com', 'jürgen@example.com'];
    expect(await run(postPeople(client, audienceId, emails))).toMatchObject({
      kind: 'accepted',
      replayed: false,
      value: { summary: { created: 3, updated: 0, failed: 0 } },
    });
    for (const email of emails) {
      const found = await run(findContact(client, { audienceId, idOrEmail: email, includeTopics: true }));
      expect(found).toMatchObject({ email, status: 'subscribed' });
      expect(await run(getContact(client, { audienceId, idOrEmail: found?.id ?? '' }))).toMatchObject({ email });
    }
    expect((await run(all(listContacts(client, audienceId, { limit: 2 })))).map((page) => page.length)).toEqual([2, 1]);
    expect(await run(findContact(client, { audienceId, idOrEmail: 'bea@example.com' }))).toBeUndefined();
  });

  test.each(['cursor', 'limit_only'])('the client reads and writes suppressions, paged by %s', async (paging) => {
    const { client, run } = await open({ variants: { suppressions_paging: paging } });
    expect(await run(firstSuppression(client))).toBeUndefined();
    const body = bytes({ reason: 'bounced', emails: ['ana@example.com', 'ben@example.com'] });
    const call = { body, keySuffix: undefined };
    const end = await run(postSuppressions(client, call, { keySource: keySource(suppressionsKey(client, call)) }));
    expect(end).toMatchObject({ kind: 'accepted', value: { total_suppressed_after: 2 } });
    expect((await run(all(listSuppressions(client)))).length).toBe(2);
    expect(await run(firstSuppression(client))).toMatchObject({ id: expect.stringMatching(/^sup_/) });
  });

  test('the client reads automations of the emulator and enrolls a person', async () => {
    const { client, emulator, run } = await open({
      seed: {
        contacts: [{ email: 'ana@example.com' }],
        automations: [{ name: 'Welcome', trigger: 'api', status: 'active' }],
      },
    });
    const [automation] = await run(all(listAutomations(client)));
    expect(automation).toMatchObject({ name: 'Welcome', audience_id: emulator.audienceId });
    const person = { automationId: automation?.id ?? '', email: 'ana@example.com' };
    const enrollment = { ...person, keySuffix: undefined, atMostOnce: undefined };
    const sending = () =>
      postEnrollment(client, enrollment, { keySource: keySource(enrollmentKey(client, enrollment)) });
    expect(await run(sending())).toMatchObject({ kind: 'accepted', replayed: false, value: { outcome: 'enrolled' } });
    expect(await run(sending())).toMatchObject({ kind: 'accepted', replayed: true, value: { outcome: 'enrolled' } });
  });

  test('the client reads and writes webhooks of the emulator', async () => {
    const { client, run } = await open();
    const hook = { url: 'https://hooks.example.com/in', events: ['email.sent'], description: 'd' };
    const end = await run(createWebhookEndpoint(client, hook, { keySource: created('webhook') }));
    expect(end).toMatchObject({ kind: 'accepted', value: { url: hook.url, secret: expect.any(String) } });
    const id = end.kind === 'accepted' ? end.value.id : '';
    await run(updateWebhookEndpoint(client, id, { change: { events: ['email.failed'] } }));
    expect(await run(getWebhookEndpoint(client, id))).toMatchObject({ events: ['email.failed'], description: 'd' });
    expect(await run(all(listDeliveries(client, id)))).toEqual([]);
    await run(deleteWebhookEndpoint(client, id));
    expect(await run(all(listWebhookEndpoints(client)))).toEqual([]);
  });

  test('the client sends an email, which the emulator delivers', async () => {
    const { client, clock, run } = await open();
    const email = { from: 'a@example.com', to: ['b@example.com'], subject: 's', text: 't' };
    const end = await run(sendEmail(client, email, { keySource: created('email') }));
    expect(end).toMatchObject({ kind: 'accepted', value: { id: expect.stringMatching(/^eml_/) } });
    const id = end.kind === 'accepted' ? end.value.id : '';
    const first = await run(client.get(['emails', id]));
    for (const ms of [1_000, 1_000]) {
      await clock.advance(ms);
    }
    const last = await run(client.get(['emails', id]));
    expect([first, last]).toMatchObject([
      { id, status: 'queued' },
      { id, status: 'delivered' },
    ]);
  });
});

describe('the client against the limits of the emulator', () => {
  async function* count(n: number) {
    for (let i = 0; i < n; i += 1) {
      yield i;
    }
  }

  test('the client sends 700 batches in little over a minute without a 429', async () => {
    const { client, emulator, clock, run } = await open();
    const sending = runConcurrently(count(700), 4, (n) =>
      postPeople(client, emulator.audienceId, [`p${n}@example.com`]),
    );
    const ends = await run(all(sending));
    expect(ends.filter(({ kind }) => kind !== 'accepted')).toEqual([]);
    expect(client.stats()).toEqual({ sent: 700, retried: 0, replayed: 0, rate_limited: 0 });
    expect(clock.now() - START).toBeLessThan(61_000);
  });
});
