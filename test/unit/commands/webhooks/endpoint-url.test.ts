import { expect, test } from 'vitest';
import { checkEndpointUrl } from '../../../../src/commands/webhooks/endpoint-flags.ts';
import { checkWebhookUrl } from '../../../../src/emulator/webhooks/send.ts';

/** The ends of every non-public range, other notations of them, and names of local networks. */
const REFUSED = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 168.63.129.16
  169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255
  192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255
  203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255
  192.31.196.1 192.52.193.1 192.175.48.1 127.1 2130706433 0x7f000001 0177.0.0.1 10.1 0xa9fea9fe 127.0.0.1.
  [::] [::1] [::127.0.0.1] [::a00:1] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [::ffff:168.63.129.16] [64:ff9b::] [64:ff9b::a00:1]
  [64:ff9b:1::] [64:ff9b:1:ffff::] [100::] [100::ffff] [2001::] [2001:0:7f00:1::] [2001:1ff::] [2001:db8::]
  [2001:db8:ffff::] [2002::] [2002:7f00:1::] [3fff::] [3fff:fff::] [5f00::] [fc00::] [fd00:ec2::254] [fdff::] [fe80::1]
  [febf::] [fec0::1] [ff02::1] [ffff::] [4000::] [8000::]
  localhost printer a.localhost nas.local db.internal LOCALHOST router.home.arpa metadata.google.internal. localhost.
`;

/** Public addresses next to those ranges. */
const PUBLIC = `
  1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  [::ffff:8.8.8.8] [2001:200::] [2001:db7:ffff::] [2001:db9::] [2003::] [2606:4700:4700::1111] [2a00:1450:4001::200e]
  hooks.example.com localhost.example.com internal.example 10.example.com hooks.example.com.
`;

const EVERYWHERE = Array.from({ length: 80 }, (_, index) => `${index + 128}.8.8.8`);

test('refuses the same non-public hosts as the emulator (Delivery rules 6, K7)', () => {
  const refused = wordsOf(REFUSED);
  const hosts = [...refused, ...wordsOf(PUBLIC), ...EVERYWHERE];
  expect(hosts.length).toBeGreaterThan(200);
  const refusedBy = (check: (url: string) => unknown) =>
    hosts.filter((host) => throws(() => check(`https://${host}/in`)));
  expect(refusedBy((url) => checkEndpointUrl(url, false))).toEqual(refused);
  expect(refusedBy((url) => checkWebhookUrl(url, false))).toEqual(refused);
});

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

function throws(act: () => unknown): boolean {
  try {
    act();
    return false;
  } catch {
    return true;
  }
}
