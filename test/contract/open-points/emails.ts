import type { Service } from '../service.ts';
import { codeOf, codesOf, type OpenPoint } from './point.ts';

const MAIL = { from: 'a@example.com', subject: 's', text: 't' };
const send = ({ ask }: Service, to: unknown, more: object = {}) =>
  ask('POST', '/v1/emails', { body: { ...MAIL, to, ...more } });

/** The status of a message after some seconds. */
async function statusAfter(service: Service, to: string[], seconds: number): Promise<string> {
  const { id } = (await send(service, to)).json;
  for (let second = 0; second < seconds; second += 1) {
    await service.clock.advance(1_000);
  }
  return (await service.ask('GET', `/v1/emails/${id}`)).json.status;
}

/** Messages and their statuses. */
export const EMAIL_POINTS: readonly OpenPoint[] = [
  {
    point: 'email_states',
    play: async (service) => [
      await statusAfter(service, ['bounce@example.com'], 2),
      await statusAfter(service, ['complaint@example.com'], 3),
      await statusAfter(service, ['fail@example.com'], 1),
    ],
    shows: ['bounced', 'complained', 'failed'],
  },
  {
    point: 'email_status_of_many',
    play: async (service) => [
      await statusAfter(service, ['complaint@example.com', 'ana@example.com'], 3),
      await statusAfter(service, ['fail@example.com', 'ana@example.com'], 2),
    ],
    shows: ['complained', 'delivered'],
  },
  {
    point: 'email_null_parts',
    play: (service) => {
      const to = ['ana@example.com'];
      const parts = [{ html: '<p>', text: null }, { html: null }, { html: null, text: null }];
      return codesOf(parts.map((more) => () => send(service, to, more)));
    },
    shows: [200, 200, 'invalid_request'],
  },
  {
    point: 'named_addresses',
    play(service) {
      service.emulator.admin.suppress(['gone@example.com'], 'bounced');
      const from = 'Us <us@example.com>';
      const recipients = ['Ana <ana@example.com>', 'Ana <Gone@Example.com>', 'Ana <ana>'];
      return codesOf(recipients.map((to) => () => send(service, [to], { from })));
    },
    shows: [200, 'email_suppressed', 'invalid_email'],
  },
  { point: 'email_to', play: async (service) => codeOf(await send(service, 'ana@example.com')), shows: 200 },
];
