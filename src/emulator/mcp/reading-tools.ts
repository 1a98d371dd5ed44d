import { readText } from '../http/body.ts';
import { getOrganization, parseList } from '../store/organizations.ts';
import { askRoute } from './ask-route.ts';
import { PAGE, READS, STRING, type Tool } from './tool.ts';

/** Reading audiences and senders. A sender is a verified domain; `*` stands for every domain. */
export const READING_TOOLS: readonly Tool[] = [
  {
    name: 'service_list_audiences',
    title: 'List audiences',
    description: 'Lists the audiences, newest first.',
    inputSchema: { type: 'object', properties: { ...PAGE } },
    annotations: READS,
    run: (call) => askRoute(call, 'GET /v1/audiences', { query: { limit: call.args.limit, after: call.args.after } }),
  },
  {
    name: 'service_get_audience',
    title: 'Read an audience',
    description: 'Reads one audience with its counts of contacts.',
    inputSchema: { type: 'object', properties: { audience_id: STRING }, required: ['audience_id'] },
    annotations: READS,
    run: (call) => askRoute(call, 'GET /v1/audiences/{audience_id}', { params: [readText(call.args, 'audience_id')] }),
  },
  {
    name: 'service_list_senders',
    title: 'List senders',
    description: 'Lists the verified sending domains of the account.',
    inputSchema: { type: 'object', properties: {} },
    annotations: READS,
    run: ({ context, caller }) => {
      const domains = parseList(getOrganization(context.store, caller.organization).domains);
      const data = domains.map((domain) => ({ object: 'sender', domain, status: 'verified' }));
      return { data, has_more: false, next_cursor: null };
    },
  },
];
