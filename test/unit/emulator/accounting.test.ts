import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { createHex, type Service, startService } from '../../contract/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MESSAGE = { from: 'me@example.com', to: ['ana@example.com'], subject: 's', text: 't' };

async function send({ ask }: Service, message: object = {}): Promise<string> {
  const { status, json } = await ask('POST', '/v1/emails', { body: { ...MESSAGE, ...message } });
  return json.error?.code ?? String(status);
}

describe('the emulator, which counts the messages of an account', () => {
  test('the emulator renews the monthly allowance when a month begins in UTC', async () => {
    const service = await startService({ clock: createManualClock(Date.UTC(2026, 0, 31, 23, 59)) });
    service.emulator.admin.set({ allowance: 2 });
    expect([await send(service), await send(service), await send(service)]).toEqual([
      '200',
      '200',
      'plan_limit_reached',
    ]);
    await service.emulator.admin.advance(60_000);
    expect([await send(service), await send(service), await send(service)]).toEqual([
      '200',
      '200',
      'plan_limit_reached',
    ]);
  });

  test('the emulator opens old data that has no counts of messages by month', async () => {
    const dataDir = tempFolder();
    const open = () => createEmulator({ dataDir, clock: createManualClock(), randomHex: createHex('kept') });
    await (await open()).close();
    const database = new DatabaseSync(join(dataDir, 'emulator.db'));
    database.exec('drop table if exists sent_emails');
    database.close();
    const emulator = await open();
    expect([emulator.isExistingStore, emulator.admin.account().sent]).toEqual([true, 0]);
    await emulator.close();
  });

  test('the emulator sends one message when an address is a recipient twice', async () => {
    const service = await startService();
    const to = ['ana@example.com', 'Ana@Example.com', 'ben@example.com'];
    expect(await send(service, { to })).toBe('200');
    expect(service.emulator.admin.account().sent).toBe(2);
    expect(await send(service, { to: Array(51).fill('ana@example.com') })).toBe('invalid_request');
  });
});
