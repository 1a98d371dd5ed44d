import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, SUPPRESSED, statusWords } from './lib/status-words.ts';

const WORDS = statusWords([BOUNCED, 'HardBounce'], [COMPLAINED, 'SpamComplaint'], [SUPPRESSED, 'ManualSuppression']);

/** Postmark suppressions of one message stream, which is a kind of mail. */
export const postmark = definePlatform({
  id: 'postmark',
  title: 'Postmark',
  roles: {
    email: ['EmailAddress', 'Email'],
    unsubscribed_at: ['CreatedAt'],
    state: ['SuppressionReason'],
    internal: ['Origin', 'MessageStream'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'SuppressionReason', 'Origin');
    return ownCount === 2
      ? 95
      : // Klaviyo writes `Suppression Reason` with a blank, so only the form without one counts.
        ownCount === 1 && header.some((text) => /^suppressionreason$/i.test(text.trim()))
        ? 85
        : /postmark/i.test(name)
          ? 40
          : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'SuppressionReason'),
});
