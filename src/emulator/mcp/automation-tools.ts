import { AUTOMATION_STATUSES } from '../../wire/words.ts';
import { readText } from '../http/body.ts';
import { askRoute } from './ask-route.ts';
import { MAILS, PAGE, READS, STRING, type Tool } from './tool.ts';

/** The two tools that mirror the automation endpoints, with their results and scope. */
export const AUTOMATION_TOOLS: readonly Tool[] = [
  {
    name: 'service_list_automations',
    title: 'List automations',
    description: 'Lists the automations, newest first. Archived ones are hidden unless asked for by status.',
    inputSchema: {
      type: 'object',
      properties: { status: { type: 'string', enum: [...AUTOMATION_STATUSES] }, ...PAGE },
    },
    annotations: READS,
    run: (call) => {
      const { status, limit, after } = call.args;
      return askRoute(call, 'GET /v1/automations', { query: { status, limit, after } });
    },
  },
  {
    name: 'service_enroll_in_automation',
    title: 'Enroll one person in an automation',
    description:
      'Puts one person into a flow, which then mails them on its own schedule. With attributes, even none, an unknown address becomes a subscribed contact. Needs the scope automations:enroll.',
    inputSchema: {
      type: 'object',
      properties: {
        automation_id: STRING,
        email: STRING,
        attributes: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
      },
      required: ['automation_id', 'email'],
    },
    annotations: MAILS,
    scope: 'automations:enroll',
    run: (call) => {
      const { automation_id, ...body } = call.args;
      const params = [readText({ automation_id }, 'automation_id')];
      return askRoute(call, 'POST /v1/automations/{automation_id}/enroll', { params, body });
    },
  },
];
