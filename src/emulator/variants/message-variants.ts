import type { Quirk } from './variant.ts';

/** Open points of emails, webhooks, events and the MCP endpoint. */
export const MESSAGE_QUIRKS = [
  {
    name: 'mcp_errors',
    readings: ['result', 'protocol'],
    sentence:
      'MCP server: tool outputs not shown. (A refusal is a result marked as error, or an error of the protocol.)',
  },
  {
    name: 'mcp_results',
    readings: ['structured', 'text'],
    sentence: 'MCP server: tool outputs not shown. (An object beside the text, or the text alone.)',
  },
  {
    name: 'mcp_answers',
    readings: ['json', 'stream'],
    sentence: 'MCP server: an HTTP endpoint. (Whether it answers JSON or a stream of events is not shown.)',
  },
] as const satisfies readonly Quirk[];
