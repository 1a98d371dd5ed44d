import type { PageRequest } from '../routes/pagination.ts';
import type { ContactRow } from '../store/contacts.ts';
import type { Store } from '../store/store.ts';

/** A newsletter to one audience. */
export interface CampaignRow {
  readonly seq: number;
  readonly organization: number;
  readonly audience: number;
  /** `draft`, `scheduled`, `sent`, `failed`. The document shows only `draft`; the others are our reading. */
  readonly status: string;
  readonly subject: string;
  readonly sender: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly send_at: number | null;
  readonly recipients: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The fields that an editor can write. */
export type CampaignContent = Pick<CampaignRow, 'audience' | 'subject' | 'sender' | 'html' | 'text'>;

/** Stores a draft and returns its number. */
export function insertCampaign(store: Store, organization: number, content: CampaignContent & { now: number }): number {
  const { audience, subject, sender, html, text, now } = content;
  const sql = `insert into campaigns (organization, audience, status, subject, sender, html, text, created_at, updated_at)
    values (?, ?, 'draft', ?, ?, ?, ?, ?, ?)`;
  return store.run(sql, organization, audience, subject, sender, html, text, now, now).id;
}

/** Writes all changeable fields of a campaign. */
export function updateCampaign(store: Store, row: CampaignRow): void {
  const sql = `update campaigns set audience = ?, status = ?, subject = ?, sender = ?, html = ?, text = ?, send_at = ?,
    recipients = ?, updated_at = ? where seq = ?`;
  const { audience, status, subject, sender, html, text, send_at, recipients, updated_at, seq } = row;
  const content = [audience, status, subject, sender, html, text] as const;
  store.run(sql, ...content, send_at, recipients, updated_at, seq);
}

/** A campaign of any organization; the caller compares. */
export function findCampaign(store: Store, seq: number): CampaignRow | undefined {
  return store.get<CampaignRow>('select * from campaigns where seq = ?', seq);
}

/** One row more than the page holds, newest first. */
export function listCampaigns(store: Store, organization: number, page: PageRequest): CampaignRow[] {
  const sql = 'select * from campaigns where organization = ? and seq < ? order by seq desc limit ?';
  return store.all<CampaignRow>(sql, organization, page.before, page.limit + 1);
}

/** The recipients of a campaign: subscribed, and not suppressed for any reason. */
export function listRecipients(
  store: Store,
  { audience, organization }: CampaignRow,
): Pick<ContactRow, 'seq' | 'email'>[] {
  const sql = `select contacts.seq, contacts.email from contacts
    left join suppressions on suppressions.organization = ? and suppressions.email = contacts.email
    where audience = ? and status = 'subscribed' and suppressions.seq is null order by contacts.seq`;
  return store.all(sql, organization, audience);
}
