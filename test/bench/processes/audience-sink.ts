import { createServer } from 'node:http';
import { personOf } from '../numbered-people.ts';

/**
 * A loopback service with one audience of numbered people, in another order than the list. It has no limits and stores
 * nothing. Prints its port.
 */
const total = Number(process.argv[2]);
const STAMP = '2026-01-01T00:00:00.000Z';
const audience = { id: 'aud_bench', object: 'audience', name: 'bench', created_at: STAMP, updated_at: STAMP };
// This number is coprime with every total of the bench, so that each place has another person.
const STEP = 7_368_787;

const HEADERS = {
  'content-type': 'application/json',
  'ratelimit-limit': '1000000',
  'ratelimit-remaining': '1000000',
  'ratelimit-reset': '60',
};

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  const isPage = url.pathname.endsWith('/contacts');
  const counted = { ...audience, contact_counts: { subscribed: total, unsubscribed: 0, total } };
  response.writeHead(200, HEADERS);
  response.end(JSON.stringify(isPage ? pageFrom(Number(url.searchParams.get('after') ?? 0)) : counted));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
process.on('SIGTERM', () => process.exit(0));

function pageFrom(start: number): unknown {
  const end = Math.min(total, start + 100);
  const data = Array.from({ length: end - start }, (_, at) => contactAt(start + at));
  return { data, has_more: end < total, next_cursor: end < total ? String(end) : null };
}

function contactAt(place: number): unknown {
  const number = (place * STEP) % total;
  const { email, first_name, city } = personOf(number);
  const attributes = { city };
  return {
    id: `sub_${(number * 2_654_435_761) % 2 ** 32}`,
    object: 'contact',
    email,
    first_name,
    last_name: null,
    status: 'subscribed',
    unsubscribed_at: null,
    attributes,
    created_at: STAMP,
    updated_at: STAMP,
  };
}
