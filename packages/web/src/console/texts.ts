import { loginTexts } from '../pages/login/texts.ts';
import { uiTexts } from '../ui/texts.ts';
import { accountContentTexts } from './account-content/texts.ts';
import { accountTexts } from './account/texts.ts';
import { accountsTexts } from './accounts/texts.ts';
import { applicationsTexts } from './applications/texts.ts';
import { auditTexts } from './audit/texts.ts';
import { contentTexts } from './content/texts.ts';
import { erasureTexts } from './erasure/texts.ts';
import { importTexts } from './import/texts.ts';
import { invitationsTexts } from './invitations/texts.ts';
import { kitTexts } from './kit/texts.ts';
import { mailsTexts } from './mails/texts.ts';
import { overviewTexts } from './overview/texts.ts';
import { personsTexts } from './persons/texts.ts';
import { profileTexts } from './profile/texts.ts';
import { sessionsTexts } from './sessions/texts.ts';
import { shellTexts } from './shell/texts.ts';
import { signInMethodsTexts } from './sign-in-methods/texts.ts';
import { signInTexts } from './sign-in/texts.ts';
import { signInsTexts } from './sign-ins/texts.ts';
import { signOnTexts } from './sign-on/texts.ts';
import { systemTexts } from './system/texts.ts';
import { tokensTexts } from './tokens/texts.ts';
import { webhooksTexts } from './webhooks/texts.ts';

export const CONSOLE_TEXTS = {
  ...accountTexts,
  ...accountContentTexts,
  ...accountsTexts,
  ...applicationsTexts,
  ...auditTexts,
  ...contentTexts,
  ...erasureTexts,
  ...importTexts,
  ...invitationsTexts,
  ...kitTexts,
  ...mailsTexts,
  ...overviewTexts,
  ...personsTexts,
  ...profileTexts,
  ...sessionsTexts,
  ...shellTexts,
  ...signInTexts,
  ...signInMethodsTexts,
  ...signInsTexts,
  ...signOnTexts,
  ...systemTexts,
  ...tokensTexts,
  ...webhooksTexts,
};

/** The texts of the account pages that the console has, too: of forms and of signing in. */
export const SHARED_TEXTS = { ...uiTexts, ...loginTexts };
