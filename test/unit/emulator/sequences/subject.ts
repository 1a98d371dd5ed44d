import { Agent, request as httpRequest } from 'node:http';
import { createEmulator, type Emulator } from '../../../../src/emulator/emulator.ts';
import { createHex } from '../../../contract/service.ts';
import { createManualClock, type ManualClock } from '../../../support/manual-clock.ts';
import type { Arrived } from '../model/expectation.ts';
import type { ModelRequest } from '../model/service.ts';
import { createSender, type Received } from './sender.ts';

/** The emulator on a socket. It is asked by raw HTTP, with real ids in the path. */
export interface Subject {
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  /** The audience of the other organization. */
  readonly otherAudience: string;
  /** What the receivers of webhooks got. */
  readonly received: readonly Received[];
  send(request: ModelRequest): Promise<Arrived>;
  close(): Promise<void>;
}

export async function startSubject(plan: 'free' | 'paid'): Promise<Subject> {
  const clock = createManualClock();
  const received: Received[] = [];
  const sendWebhook = createSender(received, clock.now);
  const emulator = await createEmulator({ clock, randomHex: createHex('model'), plan, sendWebhook });
  const { url } = await emulator.listen(0);
  const other = emulator.admin.createOrganization();
  const revoked = emulator.admin.createKey();
  emulator.admin.revokeKey(revoked);
  const keys: Readonly<Record<string, string | undefined>> = {
    full: `Bearer ${emulator.apiKey}`,
    plain: `Bearer ${emulator.admin.createKey([])}`,
    other: `Bearer ${other.apiKey}`,
    revoked: `Bearer ${revoked}`,
    unknown: 'Bearer svc_emulator_00',
    basic: `Basic ${emulator.apiKey}`,
    test: 'Bearer service_test_1',
  };
  const agent = new Agent({ keepAlive: true });
  return {
    emulator,
    clock,
    received,
    otherAudience: other.audienceId,
    send: (request) => exchange(agent, `${url}${request.path}`, request, keys[request.apiKey]),
    async close() {
      agent.destroy();
      await emulator.close();
    },
  };
}

function exchange(agent: Agent, url: string, request: ModelRequest, authorization?: string): Promise<Arrived> {
  const { method, body, idempotencyKey, contentType = 'application/json' } = request;
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Arrived['headers'],
          json: JSON.parse(text),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
