import { once } from 'node:events';
import { type Program, startProgram } from '../support/program.ts';

/** An emulated service in its own process. */
export interface Service {
  /** Environment variables for programs that use it. */
  readonly env: Readonly<Record<string, string>>;
  createAudience(name: string): Promise<string>;
  /**
   * The contacts of an audience and the suppressions of the account, sorted, one a line. `mark` is removed from
   * addresses.
   */
  state(audienceId: string, mark: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

interface Address {
  readonly url: string;
  readonly key: string;
}

/** Starts the emulator of the built program, without a rate limit. */
export async function startService(): Promise<Service> {
  const program = startProgram(['emulator', 'start', '--json', '--rate-limit', '0'], {});
  const { url, api_key: key } = JSON.parse(await firstLine(program)) as { url: string; api_key: string };
  const address = { url, key };
  return {
    env: { SVC_BASE_URL: url, SVC_API_KEY: key },
    createAudience: async (name) => (await call<{ id: string }>(address, '/v1/audiences', { name })).id,
    state: async (audienceId, mark) => {
      const contacts = await all<Contact>(address, `/v1/audiences/${audienceId}/contacts`);
      const suppressions = await all<Suppression>(address, '/v1/suppressions');
      const lines = [...contacts.map(contactLine), ...suppressions.map((one) => `${one.email} ${one.reason}`)];
      return lines
        .filter((line) => line.startsWith(mark))
        .map((line) => line.slice(mark.length))
        .sort();
    },
    stop: async () => {
      program.child.kill('SIGTERM');
      await program.exit;
    },
  };
}

interface Contact {
  readonly email: string;
  readonly status: string;
  readonly first_name?: string;
  readonly unsubscribed_at?: string | null;
  readonly attributes?: object;
}

interface Suppression {
  readonly email: string;
  readonly reason: string;
}

/** Shows opt-out dates of the list. Other dates are times of writing, so they are left out. */
function contactLine({ email, status, first_name: name, unsubscribed_at: at, attributes }: Contact): string {
  const date = at?.startsWith('2024') ? at : (at && 'then') || 'none';
  return `${email} ${status} ${name} ${date} ${JSON.stringify(attributes)}`;
}

async function firstLine({ child, exit }: Program): Promise<string> {
  const first = await Promise.race([once(child.stdout ?? child, 'data'), exit]);
  if (!Array.isArray(first)) {
    throw new Error(`the emulator did not start: ${first.err}`);
  }
  return String(first[0]).split('\n', 1)[0] ?? '';
}

async function call<T>({ url, key }: Address, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
  const response = await fetch(url + path, init);
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  return (await response.json()) as T;
}

async function all<T>(address: Address, path: string): Promise<T[]> {
  const rows: T[] = [];
  let after = '';
  for (let more = true; more; ) {
    const page = await call<{ data: T[]; has_more: boolean; next_cursor: string | null }>(
      address,
      `${path}?limit=100${after}`,
    );
    rows.push(...page.data);
    more = page.has_more;
    after = `&after=${encodeURIComponent(page.next_cursor ?? '')}`;
  }
  return rows;
}
