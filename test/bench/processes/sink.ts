import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * A loopback service that accepts everything after 5 ms and has no limits. Both programs of a pair run against it. It
 * stores bodies unparsed, and parses them only to look a person up, so it costs both programs the same. Prints its
 * port.
 */
const LATENCY_MS = 5;
const STAMP = '2026-01-01T00:00:00.000Z';
const audience = { id: 'aud_bench', object: 'audience', name: 'bench', created_at: STAMP, updated_at: STAMP };
const bodies: Buffer[] = [];
let people = 0;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const { status, answer } = route(request, Buffer.concat(chunks));
  setTimeout(() => reply(response, status, answer), LATENCY_MS);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
process.on('SIGTERM', () => process.exit(0));

interface SinkAnswer {
  readonly status: number;
  readonly answer: unknown;
}

function route({ method, url = '' }: IncomingMessage, body: Buffer): SinkAnswer {
  const path = url.split('?')[0] ?? '';
  if (method === 'POST') {
    return { status: 200, answer: take(body) };
  }
  const looked = /\/contacts\/(.+)$/.exec(path)?.[1];
  if (looked !== undefined) {
    return lookUp(decodeURIComponent(looked));
  }
  if (path.endsWith('/audiences/aud_bench')) {
    const counts = { subscribed: people, unsubscribed: 0, total: people };
    return { status: 200, answer: { ...audience, contact_counts: counts } };
  }
  const data = path.endsWith('/audiences') ? [audience] : path.endsWith('/webhooks') ? [ENDPOINT] : [];
  return { status: 200, answer: { data, has_more: false, next_cursor: null } };
}

const ENDPOINT = {
  id: 'whe_bench',
  object: 'webhook_endpoint',
  url: 'https://hooks.example.com/svc',
  description: '',
  events: ['email.bounced'],
  status: 'active',
  consecutive_failures: 0,
  last_success_at: null,
  last_failure_at: null,
  last_error: null,
  created_at: STAMP,
};

function take(body: Buffer): unknown {
  const created = countOf(body, CONTACT);
  bodies.push(body);
  people += created;
  return { summary: { created, updated: 0, failed: 0 }, results: [] };
}

const CONTACT = Buffer.from('{"email":"');

function countOf(body: Buffer, text: Buffer): number {
  let count = 0;
  for (let at = body.indexOf(text); at !== -1; at = body.indexOf(text, at + text.length)) {
    count += 1;
  }
  return count;
}

function lookUp(email: string): SinkAnswer {
  const held = nearest(email).find((body) => body.includes(`{"email":${JSON.stringify(email)}`));
  const contacts: readonly { readonly email: string }[] = held ? JSON.parse(held.toString()).contacts : [];
  const found = contacts.find((contact) => contact.email === email);
  return found
    ? {
        status: 200,
        answer: { id: `sub_${email}`, object: 'contact', status: 'subscribed', created_at: STAMP, ...found },
      }
    : { status: 404, answer: { error: { code: 'not_found', message: 'no such contact' } } };
}

/** The bodies, the likeliest first. People of the bench are numbered, and come a thousand at a time. */
function nearest(email: string): readonly Buffer[] {
  const middle = Math.floor(Number(/\d+/.exec(email)?.[0] ?? 0) / 1_000);
  const away = (at: number) => Math.abs(at - middle);
  return [...bodies.keys()].sort((one, other) => away(one) - away(other)).map((at) => bodies[at] as Buffer);
}

function reply(response: ServerResponse, status: number, answer: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'ratelimit-limit': '1000000',
    'ratelimit-remaining': '1000000',
    'ratelimit-reset': '60',
  });
  response.end(JSON.stringify(answer));
}
