import { activecampaign } from './activecampaign.ts';
import { aweber } from './aweber.ts';
import { beehiiv } from './beehiiv.ts';
import { brevo } from './brevo.ts';
import { buttondown } from './buttondown.ts';
import { campaignMonitor } from './campaign-monitor.ts';
import { civicrm } from './civicrm.ts';
import { constantContact } from './constant-contact.ts';
import { customerio } from './customerio.ts';
import { drip } from './drip.ts';
import { emailoctopus } from './emailoctopus.ts';
import { eventbrite } from './eventbrite.ts';
import { fluentcrm } from './fluentcrm.ts';
import { gambio } from './gambio.ts';
import { generic } from './generic.ts';
import { getresponse } from './getresponse.ts';
import { ghost } from './ghost.ts';
import { googleContacts } from './google-contacts.ts';
import { googleGroups } from './google-groups.ts';
import { hubspot } from './hubspot.ts';
import { kit } from './kit.ts';
import { klaviyo } from './klaviyo.ts';
import type { Platform, TableShape } from './lib/platform.ts';
import { listmonk } from './listmonk.ts';
import { loops } from './loops.ts';
import { mailchimp } from './mailchimp.ts';
import { mailerlite } from './mailerlite.ts';
import { mailgun } from './mailgun.ts';
import { mailpoet } from './mailpoet.ts';
import { mautic } from './mautic.ts';
import { moosend } from './moosend.ts';
import { newsletterPlugin } from './newsletter-plugin.ts';
import { omnisend } from './omnisend.ts';
import { patreon } from './patreon.ts';
import { phplist } from './phplist.ts';
import { postmark } from './postmark.ts';
import { prestashop } from './prestashop.ts';
import { resend } from './resend.ts';
import { salesforce } from './salesforce.ts';
import { sendgrid } from './sendgrid.ts';
import { sendy } from './sendy.ts';
import { ses } from './ses.ts';
import { shopify } from './shopify.ts';
import { shopware } from './shopware.ts';
import { squarespace } from './squarespace.ts';
import { stripe } from './stripe.ts';
import { substack } from './substack.ts';
import { svc } from './svc.ts';
import { wix } from './wix.ts';
import { woocommerce } from './woocommerce.ts';
import { zoho } from './zoho.ts';

/** All platforms that svc knows. If `certainty` returns the same number for two of them, the first one wins. */
const PLATFORMS: readonly Platform[] = [
  activecampaign,
  aweber,
  beehiiv,
  brevo,
  buttondown,
  campaignMonitor,
  civicrm,
  constantContact,
  customerio,
  drip,
  emailoctopus,
  eventbrite,
  fluentcrm,
  gambio,
  getresponse,
  ghost,
  googleContacts,
  googleGroups,
  hubspot,
  kit,
  klaviyo,
  listmonk,
  loops,
  mailchimp,
  mailerlite,
  mailgun,
  mailpoet,
  mautic,
  moosend,
  newsletterPlugin,
  omnisend,
  patreon,
  phplist,
  postmark,
  prestashop,
  resend,
  salesforce,
  sendgrid,
  sendy,
  ses,
  shopify,
  shopware,
  squarespace,
  stripe,
  substack,
  svc,
  wix,
  woocommerce,
  zoho,
  generic,
];

export function platformIds(): string[] {
  return PLATFORMS.map(({ id }) => id).sort();
}

export function platformById(id: string): Platform | undefined {
  return PLATFORMS.find((platform) => platform.id === id);
}

/**
 * The encoding that a platform uses for files of this name. Undefined for other names: then the bytes of the file
 * decide.
 */
export function legacyEncodingOf(name: string): string | undefined {
  return PLATFORMS.map((platform) => platform.legacyEncoding?.(name)).find((encoding) => encoding !== undefined);
}

/** The platform that most probably wrote the table. It is `generic` if no other platform recognizes the table. */
export function recognizePlatform(shape: TableShape): Platform {
  const rated = PLATFORMS.map((platform) => ({ platform, certainty: platform.certainty(shape) }));
  return rated.reduce((best, other) => (other.certainty > best.certainty ? other : best)).platform;
}
