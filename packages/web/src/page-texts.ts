import { uiTexts } from './ui/texts.ts';
import { loginTexts } from './pages/login/texts.ts';
import { securityTexts } from './pages/security/texts.ts';
import { sessionTexts } from './pages/sessions/texts.ts';
import { profileTexts } from './pages/profile/texts.ts';
import { dataTexts } from './pages/data/texts.ts';
import { registrationTexts } from './pages/register/texts.ts';
import { applicationTexts } from './pages/authorize/texts.ts';

export const PAGE_TEXTS = {
  ...uiTexts,
  ...loginTexts,
  ...securityTexts,
  ...sessionTexts,
  ...profileTexts,
  ...dataTexts,
  ...registrationTexts,
  ...applicationTexts,
};
