/** What nearly every command that speaks to an account needs: one chunk of the bundle, see lean.ts. */
import '../src/commands/print.ts';
import '../src/commands/with-account.ts';
import '../src/render/object-text.ts';
