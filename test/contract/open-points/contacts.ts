import type { Service } from '../service.ts';
import { codeOf, codesOf, type OpenPoint, START } from './point.ts';

const batch = ({ ask, audience }: Service, body: object) =>
  ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body });
const write = (service: Service, contacts: unknown) => batch(service, { upsert: true, contacts });
const read = async ({ ask, audience }: Service, email = 'a@example.com') =>
  (await ask('GET', `/v1/audiences/${audience}/contacts/${encodeURIComponent(email)}?expand=topics`)).json;

/** The results of rows: `created`, `updated`, or the code of the error. */
async function resultsOf(service: Service, contacts: readonly object[]): Promise<string[]> {
  const { results } = (await write(service, contacts)).json;
  return results.map((row: { status: string; error?: { code: string } }) => row.error?.code ?? row.status);
}

const ACCEPTED = ['a@-x.com', '.a@x.com', 'a..b@x.com', 'a@b.1', 'a\u200bb@x.com', `${'a'.repeat(65)}@x.com`];
const LONGEST = `${'a'.repeat(248)}@x.com`;
const REFUSED = ['a', 'a@b', 'a@@b.c', 'a@b..c', 'a b@x.com', '"a"@x.com', 'a@[192.0.2.1]', 'a@x.com.', `a${LONGEST}`];

/** Contacts and their batch. */
export const CONTACT_POINTS: readonly OpenPoint[] = [
  {
    point: 'valid_addresses',
    play: async (service) => new Set(await resultsOf(service, toContacts([...ACCEPTED, LONGEST]))),
    shows: new Set(['created']),
  },
  {
    point: 'valid_addresses',
    play: async (service) => new Set(await resultsOf(service, toContacts(REFUSED))),
    shows: new Set(['invalid_email']),
  },
  {
    point: 'invalid_duplicates',
    play: async (service) => [
      ...(await resultsOf(service, toContacts(['', ' ', 'b@example.com']))),
      codeOf(await write(service, toContacts(['a', ' A']))),
    ],
    shows: ['invalid_email', 'invalid_email', 'created', 'invalid_request'],
  },
  {
    point: 'date_form',
    play: (service) =>
      resultsOf(
        service,
        ['2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000+00:00', 1_700_000_000_000].map(
          (date, index) => ({ email: `d${index}@example.com`, status: 'unsubscribed', unsubscribed_at: date }),
        ),
      ),
    shows: ['created', 'invalid_request', 'invalid_request', 'invalid_request'],
  },
  {
    point: 'null_fields',
    async play(service) {
      await write(service, [{ email: 'a@example.com', first_name: 'Ana' }]);
      const nulls = { first_name: null, status: 'unsubscribed', unsubscribed_at: null };
      const results = [
        await resultsOf(service, [{ email: 'a@example.com', ...nulls }]),
        await resultsOf(service, [{ email: 'a@example.com', status: null }]),
        await resultsOf(service, [{ email: 'a@example.com', topics: null }]),
        codeOf(await write(service, [{ email: 'a@example.com', attributes: null }])),
      ];
      const { first_name, unsubscribed_at } = await read(service);
      return [...results.flat(), first_name, unsubscribed_at];
    },
    shows: ['updated', 'invalid_request', 'invalid_request', 'invalid_request', null, START],
  },
  {
    point: 'future_date',
    async play(service) {
      const date = '2099-01-01T00:00:00.000Z';
      await write(service, [{ email: 'a@example.com', status: 'unsubscribed', unsubscribed_at: date }]);
      return (await read(service)).unsubscribed_at;
    },
    shows: '2099-01-01T00:00:00.000Z',
  },
  {
    point: 'topic_values',
    async play(service) {
      await write(service, [{ email: 'a@example.com', topics: { any: true, deep: { x: [1] } } }]);
      await write(service, [{ email: 'a@example.com', topics: { deep: { y: 'no' } } }]);
      return (await read(service)).topics;
    },
    shows: { any: true, deep: { y: 'no' } },
  },
  {
    point: 'contact_list',
    async play(service) {
      await write(service, [{ email: 'a@example.com' }]);
      await write(service, [{ email: 'b@example.com', status: 'unsubscribed' }]);
      const { json } = await service.ask('GET', `/v1/audiences/${service.audience}/contacts`);
      return json.data.map(({ status }: { readonly status: string }) => status);
    },
    shows: ['unsubscribed', 'subscribed'],
  },
  {
    point: 'contact_record',
    async play(service) {
      await write(service, [{ email: 'a@example.com' }]);
      const { id: _, ...record } = await read(service);
      return record;
    },
    shows: {
      object: 'contact',
      email: 'a@example.com',
      first_name: null,
      last_name: null,
      status: 'subscribed',
      unsubscribed_at: null,
      attributes: {},
      topics: {},
      created_at: START,
      updated_at: START,
    },
  },
  {
    point: 'response_nulls',
    async play(service) {
      const { ask, audience, emulator } = service;
      await write(service, [{ email: 'a@example.com' }]);
      emulator.admin.suppress(['b@example.com']);
      emulator.admin.createAutomation();
      const paths = [`/v1/audiences/${audience}/contacts`, '/v1/audiences', '/v1/suppressions', '/v1/automations'];
      const lists = await Promise.all(paths.map(async (path) => (await ask('GET', path)).json.data));
      const fields = lists.flatMap(([first]) => Object.entries(first));
      return fields.flatMap(([name, value]) => (value === null ? [name] : []));
    },
    shows: ['first_name', 'last_name', 'unsubscribed_at'],
  },
  {
    point: 'single_contact_create',
    async play(service) {
      await write(service, [{ email: 'a@example.com' }]);
      const { ask, audience } = service;
      const path = `/v1/audiences/${audience}/contacts/a@example.com`;
      return codesOf(['PATCH', 'PUT', 'DELETE'].map((method) => () => ask(method, path, { body: {} })));
    },
    shows: ['not_found', 'not_found', 'not_found'],
  },
  {
    point: 'batch_empty',
    play: async (service) => (await write(service, [])).json,
    shows: { object: 'contact_batch', summary: { created: 0, updated: 0, failed: 0 }, results: [] },
  },
  {
    point: 'batch_without_upsert',
    async play(service) {
      await write(service, [{ email: 'a@example.com' }]);
      const again = await batch(service, { contacts: [{ email: 'a@example.com' }] });
      return again.json.results[0].error.code;
    },
    shows: 'contact_already_exists',
  },
  {
    point: 'batch_status',
    play: async (service) => (await write(service, [{ email: 'no-address' }])).status,
    shows: 200,
  },
  {
    point: 'suppression_marks_contacts',
    async play(service) {
      await write(service, [{ email: 'a@example.com' }]);
      const body = { reason: 'bounced', emails: ['a@example.com'] };
      const { status } = await service.ask('POST', '/v1/suppressions', { body });
      return [status, (await read(service)).status];
    },
    shows: [200, 'subscribed'],
  },
  {
    point: 'cleaned_names',
    play: async ({ ask }) => (await ask('POST', '/v1/audiences', { body: { name: ' A\u00a0 b\n' } })).json.name,
    shows: ' A\u00a0 b\n',
  },
  {
    point: 'repeated_names',
    play: ({ ask }) => {
      const hook = { url: 'https://hooks.example.com/', events: ['email.sent'] };
      const paths = [['/v1/audiences', { name: 'Newsletter' }] as const, ['/v1/webhooks', hook] as const];
      return codesOf(
        [...paths, ...paths].map(
          ([path, body]) =>
            () =>
              ask('POST', path, { body }),
        ),
      );
    },
    shows: [201, 201, 201, 201],
  },
  {
    point: 'rename_without_name',
    async play({ ask, audience, clock }) {
      await clock.advance(1_000);
      const { name, updated_at } = (await ask('PATCH', `/v1/audiences/${audience}`, { body: {} })).json;
      return [name, updated_at];
    },
    shows: ['Newsletter', '2026-01-01T00:00:01.000Z'],
  },
];

function toContacts(emails: readonly string[]): object[] {
  return emails.map((email) => ({ email }));
}
