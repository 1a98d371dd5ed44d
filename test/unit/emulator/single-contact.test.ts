import { describe, expect, test } from 'vitest';
import { startService } from '../../contract/service.ts';

describe('the emulator', () => {
  test('names "email" in `param` when the emulator refuses an address', async () => {
    const { ask, audience, emulator } = await startService();
    emulator.admin.suppress(['left@example.com']);
    emulator.admin.addContacts([{ email: 'ana@example.com' }]);
    const flow = emulator.admin.createAutomation();
    const contacts = `/v1/audiences/${audience}/contacts`;
    const enroll = `/v1/automations/${flow}/enroll`;
    const errorOf = async (path: string, body: object) => (await ask('POST', path, { body })).json.error;
    expect(await errorOf(contacts, { email: 'ana@example.com' })).toMatchObject({
      code: 'contact_already_exists',
      param: 'email',
    });
    for (const [path, body] of [
      [contacts, { email: 'left@example.com' }],
      [enroll, { email: 'left@example.com', attributes: {} }],
    ] as const) {
      expect(await errorOf(path, body)).toMatchObject({ code: 'email_suppressed', param: 'email' });
    }
  });

  test('the emulator takes all after the first question mark as the query', async () => {
    const { ask } = await startService();
    const { status, json } = await ask('GET', '/v1/automations?status=active?x');
    expect([status, json.error?.param]).toEqual([400, 'status']);
  });
});
