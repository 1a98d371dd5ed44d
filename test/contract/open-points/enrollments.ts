import type { Service } from '../service.ts';
import { codeOf, type OpenPoint } from './point.ts';

const enroll = ({ ask }: Service, flow: string, body: object) =>
  ask('POST', `/v1/automations/${flow}/enroll`, { body });
const outcomeOf = async (service: Service, flow: string, email: string): Promise<string> =>
  (await enroll(service, flow, { email })).json.outcome;

const write = ({ ask, audience }: Service, contact: object) =>
  ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body: { upsert: true, contacts: [contact] } });

/** Each of these people has one reason for a refusal less than the person before. */
const LADDER = ['all', 'unsuppressed', 'subscribed', 'member', 'fitting'].map((name) => `${name}@example.com`);

/** Automations and enrollments. */
export const ENROLLMENT_POINTS: readonly OpenPoint[] = [
  {
    point: 'outcome_order',
    options: { plan: 'free' },
    async play(service) {
      const { admin } = service.emulator;
      admin.addContacts(LADDER.map((email) => ({ email, attributes: { plan: 'pro' } })));
      admin.set({ members: LADDER });
      const [flow, unusable] = [{}, { unusable: true }].map((more) =>
        admin.createAutomation({ entryFilter: { plan: 'pro' }, ...more }),
      ) as [string, string];
      const first = await Promise.all(LADDER.map((email) => outcomeOf(service, flow, email)));
      admin.suppress(LADDER.slice(0, 1));
      LADDER.slice(0, 2).forEach((email) => admin.setStatus(email, 'unsubscribed'));
      admin.set({ members: LADDER.slice(3) });
      for (const email of LADDER.slice(1, 4)) {
        await write(service, { email, attributes: { plan: 'basic' } });
      }
      const second = await Promise.all(LADDER.map((email) => outcomeOf(service, flow, email)));
      return [new Set(first).size, first[0], await outcomeOf(service, unusable, LADDER[0]!), ...second];
    },
    shows: [
      1,
      'enrolled',
      'automation_not_active',
      'suppressed',
      'not_subscribed',
      'sandbox_not_member',
      'entry_filter_no_match',
      'already_enrolled',
    ],
  },
  {
    // An address that isn't in the automation's audience, also a suppressed one.
    point: 'outcome_order',
    async play(service) {
      const { admin } = service.emulator;
      admin.addContacts([{ email: 'away@example.com' }], admin.createAudience('Other'));
      admin.suppress(['away@example.com', 'new@example.com']);
      const [flow, unusable] = [admin.createAutomation(), admin.createAutomation({ unusable: true })];
      const emails = ['away@example.com', 'new@example.com'];
      return Promise.all([flow, unusable].flatMap((id) => emails.map((email) => outcomeOf(service, id, email))));
    },
    shows: ['wrong_audience', 'not_subscribed', 'automation_not_active', 'automation_not_active'],
  },
  {
    point: 'enroll_null_attributes',
    async play(service) {
      const flow = service.emulator.admin.createAutomation();
      const reply = await enroll(service, flow, { email: 'new@example.com', attributes: null });
      return [codeOf(reply), reply.json.error.param];
    },
    shows: ['invalid_request', 'attributes'],
  },
  {
    point: 'join_gates',
    options: { plan: 'free' },
    async play(service) {
      const { admin } = service.emulator;
      const flows = [{ entryFilter: { plan: 'pro' } }, { unusable: true }, {}].map((more) =>
        admin.createAutomation({ trigger: 'audience_join', ...more }),
      );
      await write(service, { email: 'new@example.com' });
      return flows.map((flow) => admin.enrollments(flow).map(({ state }) => state));
    },
    shows: [['running'], ['running'], ['running']],
  },
  {
    point: 'join_again',
    async play(service) {
      const { admin } = service.emulator;
      admin.addContacts([{ email: 'back@example.com', status: 'unsubscribed' }]);
      const flow = admin.createAutomation({ trigger: 'audience_join' });
      await write(service, { email: 'back@example.com', status: 'subscribed' });
      return [admin.contact('back@example.com')?.status, admin.enrollments(flow)];
    },
    shows: ['subscribed', []],
  },
  {
    point: 'deleted_audience_flows',
    async play(service) {
      const { ask, audience, emulator } = service;
      const flow = emulator.admin.createAutomation();
      await ask('DELETE', `/v1/audiences/${audience}`);
      const { data } = (await ask('GET', '/v1/automations')).json;
      return [data[0].id === flow, await outcomeOf(service, flow, 'a@example.com')];
    },
    shows: [true, 'automation_not_active'],
  },
];
