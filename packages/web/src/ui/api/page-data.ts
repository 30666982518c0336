import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The data that the service writes into every page. */
export interface PageData {
  /** The language of the page. */
  Locale: string;
  /** All languages that there are. */
  Locales: string[];
  /** The texts of the page's language, by their keys. */
  Messages: Record<string, string>;
  /** The name under which people know the installation. */
  Name: string;
  /** Where its logo is, as an image; the drawn one without it. */
  Logo?: string;
  LogoDark?: string;
  SupportUrl?: string;
  PrivacyUrl?: string;
  TermsUrl?: string;
  /** Where the account pages are for everybody (`PUBLIC_URL`), wherever this one was opened. */
  PublicUrl?: string;
  /** The origin at which everybody finds the console (`ADMIN_URL`), in its own document. */
  ConsoleUrl?: string;
  /** The app that people go on to. */
  AppUrl?: string;
  PasswordMinLength: number;
  /** Days in which the erasure of an account can be taken back; 0 for none. */
  EraseAfterDays: number;
  /** From where the console may show images of faces. */
  FaceImageOrigins?: readonly string[];
}

export const PageDataContext = createContext<PageData | undefined>(undefined);

/** What the service wrote into this page. */
export function usePageData(): PageData {
  const data = useContext(PageDataContext);
  if (data === undefined) throw new Error('there is no page data around this component');
  return data;
}
