import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

/** The script that a user would write: csv-parse and fetch, batches of 1,000, 4 in flight, no checks, no journal. */
const [path = '', url = '', key = '', audience = ''] = process.argv.slice(2);
const IN_FLIGHT = 4;
const inFlight = new Set<Promise<void>>();
let contacts: unknown[] = [];

for await (const row of createReadStream(path).pipe(parse({ columns: true }))) {
  const { 'Email Address': email, 'First Name': first_name, 'Last Name': last_name, ...attributes } = row;
  contacts.push({ email, first_name, last_name, status: 'subscribed', attributes });
  if (contacts.length === 1_000) {
    await send();
  }
}
if (contacts.length > 0) {
  await send();
}
await Promise.all(inFlight);

async function send(): Promise<void> {
  const sent = post(JSON.stringify({ upsert: true, contacts })).finally(() => inFlight.delete(sent));
  contacts = [];
  inFlight.add(sent);
  if (inFlight.size >= IN_FLIGHT) {
    await Promise.race(inFlight);
  }
}

async function post(body: string): Promise<void> {
  const response = await fetch(`${url}/v1/audiences/${audience}/contacts/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  if (!response.ok) {
    throw new Error(`${response.status} ${await response.text()}`);
  }
  await response.arrayBuffer();
}
