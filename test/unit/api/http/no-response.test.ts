import { describe, expect, test } from 'vitest';
import { json, play, writeRequest } from '../service.ts';

function throwCode(code: string, syscall?: string): never {
  throw Object.assign(new Error(`it failed: ${code}`), { code, ...(syscall && { syscall }) });
}

const page = () => json(200, { id: 'aud_1' });

describe('a request without a connection (O2)', () => {
  test.each([
    ['ENOTFOUND', '--base-url'],
    ['CERT_HAS_EXPIRED', 'clock'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'another name'],
    ['EPROTO', 'HTTPS_PROXY'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'scheme and port'],
  ])('gives up a read after the first %s and names the setting to check', async (code, setting) => {
    const { client, seen, run, elapsed } = play(() => throwCode(code));
    const error = await run(client.get(['audiences'])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'no_answer',
      message: expect.stringContaining(code),
      hint: expect.stringContaining(setting),
    });
    expect([seen.length, elapsed()]).toEqual([1, 0]);
  });

  test('names --base-url when no program listens at the address', async () => {
    const { client, run } = play(() => throwCode('ECONNREFUSED'));
    const error = await run(client.get(['audiences'])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ hint: expect.stringContaining('--base-url') });
  });

  test('names a login page of the network as cause when a response is HTML (O3)', async () => {
    const { client, run } = play(() => ({ ...page(), headers: { 'content-type': 'text/html' } }));
    const error = await run(client.get(['audiences'])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unexpected_answer', hint: expect.stringContaining('login page') });
  });

  test('does not repeat a request when the cause of its error is ENOTFOUND', async () => {
    const wrapped = new Error('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ENOTFOUND' }) });
    const { client, seen, run } = play(() => Promise.reject(wrapped));
    await expect(run(client.get(['audiences']))).rejects.toMatchObject({ code: 'no_answer' });
    expect(seen).toHaveLength(1);
  });

  test.each(['ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT', 'ERR_TLS_HANDSHAKE_TIMEOUT'])(
    'repeats a read after %s and names the error in the wait event',
    async (code) => {
      const { client, seen, events, run } = play((_, n) => (n === 0 ? throwCode(code) : page()));
      await run(client.get(['audiences']));
      expect(seen).toHaveLength(2);
      expect(events.find(({ type }) => type === 'wait')).toMatchObject({
        reason: 'retry',
        cause: expect.stringContaining(code),
      });
    },
  );

  test('names what to check when every attempt fails with EAI_AGAIN (O2)', async () => {
    const { client, seen, run } = play(() => throwCode('EAI_AGAIN'));
    await expect(run(client.get(['audiences']))).rejects.toMatchObject({
      hint: "The name server doesn't answer: check this machine's network and DNS, and --base-url (or SVC_BASE_URL); behind a proxy, also HTTPS_PROXY.",
    });
    expect(seen).toHaveLength(6);
  });

  test.each(['ENOTFOUND', 'CERT_HAS_EXPIRED'])(
    'repeats a read after %s when the host has responded before',
    async (code) => {
      const { client, seen, run } = play((_, n) => (n === 1 ? throwCode(code) : page()));
      await run(client.get(['audiences']));
      await run(client.get(['audiences']));
      expect(seen).toHaveLength(3);
    },
  );

  test.each([
    ['ENOTFOUND', false],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', false],
    ['EPROTO', true],
  ])('says whether a write that fails with %s may have arrived: %s (I2, O3)', async (code, outcomeUnknown) => {
    const { client, run } = play(() => throwCode(code));
    expect(await run(client.post(writeRequest('repeatable')))).toMatchObject({ kind: 'gave_up', outcomeUnknown });
  });

  // Linux reports a lost route with these codes, also for a connection over which the request was sent.
  test.each(
    ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'].flatMap((code) => [
      [code, 'connect', false] as const,
      [code, 'read', true] as const,
      [code, 'write', true] as const,
    ]),
  )('says whether a write may have arrived when %s comes from %s: %s (I2)', async (code, syscall, outcomeUnknown) => {
    const { client, run } = play(() => throwCode(code, syscall));
    expect(await run(client.post(writeRequest('repeatable')))).toMatchObject({ kind: 'gave_up', outcomeUnknown });
  });
});
