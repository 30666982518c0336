export { pageSettings, readPageStyle, type PageStyle } from './page-settings.ts';
export { pageRoutes } from './page-routes.ts';
export { CONSOLE_LOCALES } from './console-document.ts';
export { consoleRoutes } from './console-routes.ts';
