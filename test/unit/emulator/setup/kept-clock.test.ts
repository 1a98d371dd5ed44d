import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../../src/emulator/emulator.ts';
import { createHex } from '../../../contract/service.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * How the time of an emulator got ahead of the machine. `began` is the machine's time as the first emulator reads it,
 * and `move` is how far its clock is moved. The second emulator reads the time of the machine.
 */
const AHEAD = [
  { how: 'its clock was moved', began: START, move: 10 * DAY },
  { how: 'its clock ran faster', began: START + 10 * DAY, move: 0 },
  { how: 'its clock ran faster and was moved', began: START + 9 * DAY, move: DAY },
];

const asked = async (emulator: Emulator, method: string, path: string, body?: object) => {
  const headers = {
    authorization: `Bearer ${emulator.apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': 'k',
  };
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return emulator.handle({ method, path, headers, body: bytes });
};
const jsonOf = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString());

/** An emulator whose time is ten days ahead, and a function that stops it and starts it again. */
async function aheadOf({ began, move }: (typeof AHEAD)[number]) {
  const dataDir = tempFolder();
  const sent: string[] = [];
  const open = (now: number) =>
    createEmulator({
      dataDir,
      clock: createManualClock(now),
      randomHex: createHex(String(now)),
      sendWebhook: async ({ headers }) => {
        sent.push(`${headers['service-delivery-attempt']}`);
        return 500;
      },
    });
  let current = await open(began);
  onTestFinished(() => current.close());
  await current.admin.advance(move);
  const restart = async () => {
    await current.close();
    current = await open(START);
    return current;
  };
  return { first: current, sent, restart };
}

describe('the time of an emulator that starts again with its data', () => {
  test.each(AHEAD)('a restarted emulator begins at the stored time when $how', async (ahead) => {
    const { first, restart } = await aheadOf(ahead);
    await asked(first, 'POST', '/v1/audiences', { name: 'Readers' });
    const second = await restart();
    expect(second.admin.state().now).toBe(START + 10 * DAY);
    expect((await restart()).admin.state().now).toBe(START + 10 * DAY);
  });

  test.each(AHEAD)('a restarted emulator forgets a key after 24 hours when $how (I6)', async (ahead) => {
    const { first, restart } = await aheadOf(ahead);
    const made = await asked(first, 'POST', '/v1/audiences', { name: 'Readers' });
    const second = await restart();
    await second.admin.advance(DAY - 1);
    expect(jsonOf(await asked(second, 'POST', '/v1/audiences', { name: 'Readers' }))).toEqual(jsonOf(made));
    await second.admin.advance(1);
    const anew = await asked(second, 'POST', '/v1/audiences', { name: 'Readers' });
    expect([anew.status, anew.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });

  test.each(AHEAD)('a restarted emulator repeats a delivery after 30 seconds when $how', async (ahead) => {
    const { first, sent, restart } = await aheadOf(ahead);
    const endpoint = { url: 'https://hooks.example.com/', events: ['suppression.created'] };
    await asked(first, 'POST', '/v1/webhooks', endpoint);
    first.admin.suppress(['a@example.com']);
    await first.admin.advance(0);
    const second = await restart();
    await second.admin.advance(29_999);
    expect(sent).toEqual(['1']);
    await second.admin.advance(1);
    expect(sent).toEqual(['1', '2']);
  });

  test.each(AHEAD)('a restarted emulator sends a message after one second when $how', async (ahead) => {
    const { first, restart } = await aheadOf(ahead);
    const mail = { from: 'a@example.com', to: ['b@example.com'], subject: 's', text: 't' };
    const { id } = jsonOf(await asked(first, 'POST', '/v1/emails', mail));
    const second = await restart();
    await second.admin.advance(1_000);
    expect(jsonOf(await asked(second, 'GET', `/v1/emails/${id}`)).status).toBe('sent');
  });

  test('a restarted emulator keeps a clock move that no write followed (I6)', async () => {
    const { first, restart } = await aheadOf({ how: '', began: START, move: 0 });
    await asked(first, 'POST', '/v1/audiences', { name: 'Readers' });
    await first.admin.advance(HOUR);
    await (await restart()).admin.advance(23 * HOUR);
    const second = await restart();
    expect(second.admin.state().now).toBe(START + DAY);
    const anew = await asked(second, 'POST', '/v1/audiences', { name: 'Readers' });
    expect(anew.headers['idempotency-replayed']).toBeUndefined();
  });

  test('a restarted emulator begins no earlier than the last change (I7)', async () => {
    const dataDir = tempFolder();
    const open = (now: number) =>
      createEmulator({ dataDir, clock: createManualClock(now), randomHex: createHex(String(now)) });
    const first = await open(START);
    first.admin.addContacts([{ email: 'ana@example.com' }]);
    await first.close();
    const later = await open(START + 3 * DAY);
    later.admin.setStatus('ana@example.com', 'unsubscribed');
    await later.close();
    const last = await open(START + HOUR);
    onTestFinished(() => last.close());
    last.admin.setStatus('ana@example.com', 'subscribed');
    expect(last.admin.contact('ana@example.com')?.updated_at).toBeGreaterThanOrEqual(START + 3 * DAY);
  });

  test('a restarted emulator uses the machine time when that is later', async () => {
    const dataDir = tempFolder();
    for (const now of [START, START + HOUR, START + 2 * HOUR]) {
      const emulator = await createEmulator({ dataDir, clock: createManualClock(now), randomHex: createHex(`${now}`) });
      expect(emulator.admin.state().now).toBe(now);
      await emulator.close();
    }
  });
});
