import { BlockList, isIP } from 'node:net';

/** Whether an IP address is one that webhooks must not reach: loopback, private, link-local (cloud metadata), not routed. */
export function createPrivateRanges(): (address: string) => boolean {
  const blocked = new BlockList();
  for (const [network, prefix] of IPV4) {
    blocked.addSubnet(network, prefix, 'ipv4');
  }
  for (const [network, prefix] of IPV6) {
    blocked.addSubnet(network, prefix, 'ipv6');
  }
  return (address) => blocked.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

// 168.63.129.16 is how one cloud's machines reach its platform; the metadata address of the others is link-local.
const IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

// ::/96, 64:ff9b::/96, 64:ff9b:1::/48, Teredo in 2001::/23 and 2002::/16 carry IPv4 addresses, private ones too.
const IPV6 = [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;
