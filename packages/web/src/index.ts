export { pageSettings, readPageStyle, type PageStyle } from './page-routes.ts';
export { pageRoutes } from './page-routes.ts';
export { LANGUAGES } from './ui/languages.ts';
export { consoleRoutes } from './console-routes.ts';
