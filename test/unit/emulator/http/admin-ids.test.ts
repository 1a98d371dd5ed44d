import { describe, expect, test } from 'vitest';
import { type Service, startService } from '../../../contract/service.ts';

/** Ids that have the right form, but name no object of the first organization. */
const UNKNOWN: Readonly<Record<string, (service: Service) => string>> = {
  'was never made': ({ audience }) => `${audience.slice(0, 4)}0000zzzzzz${audience.slice(14)}`,
  'was deleted': ({ emulator }) => {
    const id = emulator.admin.createAudience('Gone');
    emulator.admin.deleteAudience(id);
    return id;
  },
  'belongs to another organization': ({ emulator }) => emulator.admin.createOrganization().audienceId,
};

/** What the admin functions do with an audience. */
const USES: Readonly<Record<string, (admin: Service['emulator']['admin'], id: string) => unknown>> = {
  createAutomation: (admin, audienceId) => admin.createAutomation({ audienceId }),
  deleteAudience: (admin, id) => admin.deleteAudience(id),
  addContacts: (admin, id) => admin.addContacts([{ email: 'a@example.com' }], id),
  contacts: (admin, id) => admin.contacts(id),
  contact: (admin, id) => admin.contact('a@example.com', id),
  setStatus: (admin, id) => admin.setStatus('a@example.com', 'bounced', id),
  deleteContact: (admin, id) => admin.deleteContact('a@example.com', id),
  fields: (admin, id) => admin.fields(id),
};

describe('an id that names no object', () => {
  test.each(Object.keys(UNKNOWN))('the admin API refuses an audience_id that %s', async (why) => {
    const service = await startService();
    const audience_id = UNKNOWN[why]?.(service);
    const { status, json } = await service.ask('POST', '/_emulator/automations', { body: { audience_id } });
    expect([status, json.error]).toMatchObject([
      400,
      { code: 'invalid_request', message: `no audience ${audience_id}` },
    ]);
    expect((await service.ask('GET', '/v1/automations')).json.data).toEqual([]);
  });

  test.each(Object.keys(USES))('the admin function %s refuses an unknown audience', async (name) => {
    const service = await startService();
    for (const idOf of Object.values(UNKNOWN)) {
      const id = idOf(service);
      expect(() => USES[name]?.(service.emulator.admin, id)).toThrow(new RangeError(`no audience ${id}`));
    }
  });

  test.each<[string, string, (service: Service) => string]>([
    ['PATCH', '/_emulator/automations/{id}', ({ emulator }) => emulator.admin.createAutomation()],
    ['POST', '/_emulator/automations/{id}/publish', ({ emulator }) => emulator.admin.createAutomation()],
    ['POST', '/_emulator/automations/{id}/finish', ({ emulator }) => emulator.admin.createAutomation()],
    ['GET', '/_emulator/automations/{id}/enrollments', ({ emulator }) => emulator.admin.createAutomation()],
    ['POST', '/_emulator/deliveries/{id}/resend', ({ audience }) => audience.replace('aud_', 'whd_')],
  ])('the admin API refuses ids without an object in %s %s', async (method, path, idOf) => {
    const service = await startService();
    const id = idOf(service);
    // The first id was never made, the second one is of another kind, the third one is no id.
    for (const wrong of [`${id.slice(0, 4)}0000zzzzzz${id.slice(14)}`, service.audience, 'x']) {
      const body = method === 'PATCH' ? { status: 'active' } : undefined;
      const { status, json } = await service.ask(method, path.replace('{id}', wrong), { body });
      expect([status, json.error]).toMatchObject([
        400,
        { code: 'invalid_request', message: expect.stringMatching(/^no (automation|delivery) /) },
      ]);
    }
  });

  test('the admin API puts nothing into a default audience that was deleted', async () => {
    const { ask, audience, emulator } = await startService();
    await ask('DELETE', `/v1/audiences/${audience}`);
    expect((await ask('POST', '/_emulator/automations', { body: {} })).json.error.message).toBe(
      `no audience ${audience}`,
    );
    expect(() => emulator.admin.addContacts([{ email: 'a@example.com' }])).toThrow(`no audience ${audience}`);
    expect((await ask('GET', '/_emulator/contacts')).json.data).toEqual([]);
  });
});
