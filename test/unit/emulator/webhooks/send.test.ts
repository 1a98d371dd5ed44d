import { describe, expect, test } from 'vitest';
import { checkWebhookUrl, createWebhookSender } from '../../../../src/emulator/webhooks/send.ts';
import { isPublicAddress } from '../../../../src/wire/public-hosts.ts';
import { startReceiver } from '../../../contract/receiver.ts';

const attempt = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' });
const never = new AbortController().signal;

describe('the emulator, when it sends an event to a webhook endpoint', () => {
  test.each([
    { title: 'a name that resolves to this machine', url: 'https://localhost:8443/' },
    { title: 'a loopback address', url: 'https://127.0.0.1:8443/' },
    { title: 'an IPv6 loopback address', url: 'https://[::1]:8443/' },
  ])('the emulator refuses to connect to $title (Delivery rules 6)', async ({ url }) => {
    await expect(createWebhookSender(false)(attempt(url), never)).rejects.toThrow('private address refused');
  });

  test.each([
    { title: 'loopback', addresses: ['127.0.0.1'] },
    { title: 'a private address behind a public one', addresses: ['8.8.8.8', '10.0.0.1'] },
    { title: 'the metadata address', addresses: ['169.254.169.254'] },
    { title: 'a mapped loopback address', addresses: ['::ffff:127.0.0.1'] },
    { title: 'no address', addresses: [] },
  ])('no event goes to a name that resolves to $title (Delivery rules 6)', async ({ addresses }) => {
    const asked: string[] = [];
    const send = createWebhookSender(true, (hostname, _, callback) => {
      asked.push(hostname);
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    });
    const refusal = addresses.length === 0 ? 'no address' : 'private address refused';
    await expect(send(attempt('https://hooks.example.com:8443/'), never)).rejects.toThrow(refusal);
    expect(asked).toEqual(['hooks.example.com']);
  });

  test('the emulator refuses a private address when HTTPS is in capitals', async () => {
    const send = createWebhookSender(false, (_, __, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }]));
    await expect(send(attempt('HTTPS://hooks.example.com/'), never)).rejects.toThrow('private address refused');
  });

  test('the emulator sends nothing without TLS when HTTPS is in capitals', async () => {
    const receiver = await startReceiver(204);
    const url = receiver.url.replace('http:', 'HTTPS:');
    // The receiver speaks no TLS, so the handshake fails.
    await expect(createWebhookSender(true)(attempt(url), never)).rejects.toThrow(/wrong version number|EPROTO/);
    expect(receiver.arrivals).toEqual([]);
  });

  test.each([' https://hooks.example.com/', 'https://hooks.example.com/ ', 'https://hooks.example.com/a\tb'])(
    'the emulator refuses a webhook URL when it has blanks: %j',
    (url) => {
      expect(() => checkWebhookUrl(url, false)).toThrow('url must be an https URL.');
      expect(checkWebhookUrl(url.replaceAll(/\s/g, ''), false)).toMatch(/^https:/);
    },
  );

  test('the emulator sends an event to a loopback receiver that is allowed', async () => {
    const receiver = await startReceiver(204);
    expect(await createWebhookSender(true)(attempt(receiver.url), never)).toBe(204);
    expect(receiver.arrivals.map(({ body }) => body)).toEqual(['{}']);
  });

  test('the emulator stops waiting for a receiver when the signal aborts', async () => {
    const receiver = await startReceiver(0);
    const stop = new AbortController();
    const sent = createWebhookSender(true)(attempt(receiver.url), stop.signal);
    await receiver.arrived(1);
    stop.abort();
    await expect(sent).rejects.toThrow();
  });

  test.each([
    ['127.0.0.1', true],
    ['10.255.0.1', true],
    ['172.16.0.1', true],
    ['172.32.0.1', false],
    ['192.168.1.1', true],
    ['169.254.169.254', true],
    ['100.64.0.1', true],
    ['0.0.0.0', true],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['8.8.8.8', false],
    ['::1', true],
    ['::', true],
    ['fd00:ec2::254', true],
    ['fe80::1', true],
    ['::127.0.0.1', true],
    ['::ffff:127.0.0.1', true],
    ['::ffff:a9fe:a9fe', true],
    ['64:ff9b::a00:1', true],
    ['64:ff9b:1::a00:1', true],
    ['2001:0:7f00:1::', true],
    ['2002:7f00:1::', true],
    ['fec0::1', true],
    ['168.63.129.16', true],
    ['100.100.100.200', true],
    ['192.0.0.192', true],
    ['::ffff:8.8.8.8', false],
    ['2606:4700:4700::1111', false],
    ['2a00:1450:4001::200e', false],
    ['168.63.129.17', false],
  ])('the emulator decides whether the address %s is private: %s', (address, expected) => {
    expect(!isPublicAddress(address)).toBe(expected);
  });
});
