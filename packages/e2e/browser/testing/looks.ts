/** How somebody comes to a page: in which colours, which language, and how wide their window is. */
export interface Look {
  theme: 'light' | 'dark';
  locale: 'en' | 'de';
  width: 320 | 768 | 1280;
}

/** Every one of them. */
export const LOOKS: Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  (['en', 'de'] as const).flatMap((locale) =>
    ([320, 768, 1280] as const).map((width) => ({ theme, locale, width })),
  ),
);
