import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The data that the service writes into every page. */
export interface PageData {
  /** The language of the page. */
  Locale: string;
  /** All available languages. */
  Locales: string[];
  /** The texts in the page's language, by key. */
  Messages: Record<string, string>;
  /** The name of the installation. */
  Name: string;
  /** The URL of the installation's logo. If it has none, the drawn logo is shown. */
  Logo?: string;
  LogoDark?: string;
  SupportUrl?: string;
  PrivacyUrl?: string;
  TermsUrl?: string;
  /** The public URL of the account pages (`PUBLIC_URL`), even if this page was opened at another address. */
  PublicUrl?: string;
  /** The public origin of the console (`ADMIN_URL`). Only set in the console's document. */
  ConsoleUrl?: string;
  /** The app that people continue to. */
  AppUrl?: string;
  PasswordMinLength: number;
  /** For how many days the erasure of an account can be cancelled; 0 means that it is immediate. */
  EraseAfterDays: number;
  /** The origins from which the console may show images of faces. */
  FaceImageOrigins?: readonly string[];
}

export const PageDataContext = createContext<PageData | undefined>(undefined);

/** The data that the service wrote into this page. */
export function usePageData(): PageData {
  const data = useContext(PageDataContext);
  if (data === undefined) throw new Error('there is no page data around this component');
  return data;
}
