import type { Quirk } from './quirk.ts';

/** Open points of emails, webhooks, events and the MCP endpoint. */
export const MESSAGE_QUIRKS = [
  {
    name: 'webhook_create_status',
    readings: ['201', '200'],
    sentence: 'HTTP status code of POST /v1/webhooks: not shown.',
  },
  {
    name: 'email_create_status',
    readings: ['200', '202', '201'],
    sentence: 'POST /v1/emails ... returns an id. (Its status is not shown.)',
  },
  { name: 'email_poll', readings: ['get', 'none'], sentence: 'Retrieve an email: method and path not shown.' },
  {
    name: 'single_contact_create',
    readings: ['post', 'none'],
    sentence: 'Method and path of single-contact create, update and delete: not shown.',
  },
  {
    name: 'webhook_status_filter',
    readings: ['lenient', 'strict'],
    sentence: 'Allowed values of the deliveries status filter: not shown.',
  },
  {
    name: 'webhook_status_values',
    readings: ['any', 'active_disabled'],
    sentence: 'Status values other than active: not shown.',
  },
  {
    name: 'email_states',
    readings: ['events', 'shown'],
    sentence: 'Names of email states after a bounce, complaint or failure: not shown.',
  },
  {
    name: 'delivery_states',
    readings: ['pending_delivered', 'retrying_succeeded'],
    sentence: 'Webhook delivery: states other than failed: not shown.',
  },
  {
    name: 'failure_streak',
    readings: ['attempts', 'deliveries'],
    sentence: 'consecutive_failures: current failure streak. (Of attempts or of deliveries is not shown.)',
  },
  {
    name: 'inactive_webhook',
    readings: ['silent', 'delivers'],
    sentence: 'Status values other than active: not shown. (Nor whether such an endpoint gets events.)',
  },
  {
    name: 'webhook_maximum',
    readings: ['none', '10'],
    sentence: 'Maximum number of webhook endpoints per account: not shown.',
  },
  {
    name: 'suppression_event_data',
    readings: ['email', 'reason_only'],
    sentence: 'Other data fields of suppression.created: not shown.',
  },
  {
    name: 'event_order',
    readings: ['kept', 'reversed'],
    sentence: 'Ordering is not guaranteed; a delivered and a bounced event can arrive in either order.',
  },
  {
    name: 'event_duplicates',
    readings: ['none', 'all'],
    sentence: 'Delivery is at-least-once; receivers dedupe on id. Duplicates are rare.',
  },
  {
    name: 'signature_values',
    readings: ['one', 'two'],
    sentence: 'The header may carry more than one v1 value, against: the service signs with exactly one secret.',
  },
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
  {
    name: 'email_to',
    readings: ['both', 'array'],
    sentence: 'POST /v1/emails: to (up to 50 recipients). (Whether one may be written without an array is not shown.)',
  },
] as const satisfies readonly Quirk[];
