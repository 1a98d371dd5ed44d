import { countUnconfirmed, sizeOfAudience } from '../../api/resources/audiences.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ContactCounts } from '../../wire/shapes.ts';

/** How many contacts the pages of an audience showed. */
export interface SeenCounts {
  /** True if svc read all pages. */
  readonly isWhole: boolean;
  readonly all: number;
  readonly withKnownStatus: number;
  readonly unsubscribed: number;
  /** Contacts who are neither subscribed nor unsubscribed: pending, bounced, or with an unknown status. */
  readonly unconfirmed: number;
}

/** Whether the audience has people whom svc did not read, by kind. */
export interface HiddenPeople {
  /**
   * True if the audience has opted-out contacts whom svc does not know. They are on later pages, or the pages do not
   * show them as unsubscribed.
   */
  readonly moreOptedOut: boolean;
  /** True if the audience has pending or bounced contacts whom svc did not read. */
  readonly moreUnconfirmed: boolean;
}

/**
 * True if svc must read the counts again after the pages: if it did not read all pages, or if the first counts show
 * more unsubscribed, pending or bounced people than the pages.
 */
export function mustCountAgain(seen: SeenCounts, before: ContactCounts): boolean {
  return !seen.isWhole || hasMoreOptedOut(seen, before) || hasMoreUnconfirmed(seen, before);
}

/**
 * The maximum number of requests to find pending or bounced people, if neither the pages nor the counts show any. These
 * requests take ten seconds at the rate limit.
 */
const MAX_REQUESTS_TO_BE_SURE = 100;

/**
 * True if the audience may have pending or bounced people, although the pages and the counts show none. Only true if
 * svc can find them with few requests: by reading all pages, or with `people` look-ups.
 */
export function mayHaveUncounted(seen: SeenCounts, counts: ContactCounts, people: number): boolean {
  const requests = Math.min(people, sizeOfAudience(counts) / LIMITS.pageSizeMax);
  const areNoneShown = seen.unconfirmed === 0 && countUnconfirmed(counts) === 0;
  return !seen.isWhole && areNoneShown && requests <= MAX_REQUESTS_TO_BE_SURE;
}

/** Compares the pages with the counts of the audience, which were read before the pages and after them. */
export function findHiddenPeople(seen: SeenCounts, before: ContactCounts, after: ContactCounts): HiddenPeople {
  const { isWhole } = seen;
  // If svc did not read all pages, people are hidden if one of the two counts is above the number on the pages. The
  // first count can be too low, because people on the pages opted out after it. If svc read all pages, both counts must
  // be above that number. The first count alone can be too high, because people were deleted or signed up again later.
  const isHigher = (hasMore: (seen: SeenCounts, counts: ContactCounts) => boolean) =>
    isWhole ? hasMore(seen, before) && hasMore(seen, after) : hasMore(seen, before) || hasMore(seen, after);
  const hidesSome = isWhole && seen.all < Math.min(sizeOfAudience(before), sizeOfAudience(after));
  const countsLeaveOut = leavesOutUnconfirmed(seen, before) && leavesOutUnconfirmed(seen, after);
  // The counts may leave out pending and bounced people. Then there may be some among the people whom svc did not read.
  // Pages that leave people out may hide pending and bounced people, even if they show unsubscribed ones.
  const hasUncounted = ((!isWhole || hidesSome) && countsLeaveOut) || (hidesSome && seen.unsubscribed > 0);
  const isAllSeen = sawAll(seen, after);
  return {
    moreOptedOut: !isAllSeen && isHigher(hasMoreOptedOut),
    moreUnconfirmed: !isAllSeen && (hasUncounted || isHigher(hasMoreUnconfirmed)),
  };
}

// True if svc read the status of each contact. If a count then shows more opted-out contacts, the count is outdated.
function sawAll({ isWhole, all, withKnownStatus, unconfirmed }: SeenCounts, after: ContactCounts): boolean {
  const isEachCounted = all >= after.total && all - unconfirmed >= after.subscribed + after.unsubscribed;
  return isWhole && withKnownStatus === all && isEachCounted;
}

function hasMoreOptedOut(seen: SeenCounts, { unsubscribed }: ContactCounts): boolean {
  return unsubscribed > seen.unsubscribed;
}

function hasMoreUnconfirmed(seen: SeenCounts, counts: ContactCounts): boolean {
  return countUnconfirmed(counts) > seen.unconfirmed;
}

// True if the counts leave out pending and bounced contacts. svc sees this if the pages show more of them than the
// counts, or if the total leaves out even unsubscribed contacts.
function leavesOutUnconfirmed({ unconfirmed }: SeenCounts, counts: ContactCounts): boolean {
  return unconfirmed > countUnconfirmed(counts) || counts.total < sizeOfAudience(counts);
}
