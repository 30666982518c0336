/** A key of ID tokens for tests alone: creating one takes a tenth of a second. */
export const TEST_ID_TOKEN_KEY = {
  kty: 'RSA',
  n: 'zWXHMFd4firihESRl68x_gHne0V40hJlBF15q_tvKEi9rtLUwR6y-xMh0NEMhi403i3M8Gn-8iph91T2Im5JEtodtbyizdgUwMhSbdX9OsjjxQrLAnrwSNIar_gX2umt16lCoeqc_lPESPreClZk-sMPxtkK4UeWKEGyxj6aPcaYDst-3N-3nshKwqLBImctmtvXiJHtEepDze2gwUdNWRZr5zjyODPUaXuFgKkQ0IfmdtULW8DmIWDpPQCAk9cd6TsZEYisSXrHw-CN6W2DU7ruaI_rNAtWMgO52hqivpaCGYkEk8XRU98kN9HTfVy2mZpu2MvfTA3JOdAqPV9uTQ',
  e: 'AQAB',
  d: 'AyMw8nus5xfOcND0_LaWon0SyowtCbUcZBTDHnMqB25rBVVfnhk9syj059zASU7B4dCcdDdY8gffNLkQbxtfqYvO5IneiRs_SpLqHWw6y2_U-Nt5bo7ZsPG9VMmgSv4C-OEd7TK-q1eKD0epEMqGjYUMGTsTV-MbzP7J6rjQlYJ2KhEneFUeL5f6udIejvHq1nj5qZ2OCh79TIpHOYm-uKo-TsV8KPI-wjS8N5f8GsKI0jwVJ4HwqX1QBWPRurs7jBOUOxa4vHftAlUbFuFTrVB0IS7hzUVQifuhM8g7WJ0IfwlXfgIHxRiTFVzzPXUiTBelwEhadZvK4ZA6hxGDuQ',
  p: '6ua4PjvTcaE6buLUIjMHpr7lrGkzh4wiw81N9QiC45fufCd_fcmL8J_seiOOA7U83c2w9uZSBqG3kaFyV-l048gsEoWn8EbShPpkBCOkT4C3qICq9OVC2-nZfGoJcCNcXNKgx5eJkiQLBeXzp7DgwxoKXVR2C95Re-tTOkZGJ4k',
  q: '39in3FM-OEw7XtWNyImaA9nFltKYo_WQwMyg1stLJ8eZyGgLDEkL0zhwA9ehbPCt_8puSg1fUNg2SRYQ7j3A9xJtzISv6i8GwZorbhgbh9X2et6ULcgoZq-E6Qzn-N-03VZKv4cWTrYEMOsUdutwBCXL_YDQTER6ei4h4HB4m6U',
  dp: 'G_mgRaEgXG8EI4KWGwCSz7P6bF8XCPSSi1kfCKib1fkZKOYXU-a16NFS-3TSi_SArDW79puVdz65OvnMQVYHWr1TKl2Kk54LolSjpq6L-f_tX377XTEUllYyVZPXTeiYLmHTThHpC2OJgIlTTExPaEzooRbW_DDc6XIsNkt6PWk',
  dq: 'JVpJ6IIbh9lwrsqD9kq_4JSeXCSYRAPeO83pqO4ThHfSOZbjARHPX1ezmXCKB1vCLUTiUokYtqzdoiSEfrzfTltM5yvdDv756aSISr7LGUei8a3inCEiXMA9NYZpzyXFUIntvzgTiN7mpCMWLyHqd0a3W337RD7JEUpRbNpXxeE',
  qi: 'KogApMDODtlLYTBx9MzfYnhyHQm6tUwC5LcLT6H3jFVT0wOXPagToc5CgKlPJkHmFqOnlb9b6UrR06TqKBS3aIuHdBVSRXpa-T_dHj_urLobG5QpTlTljXVUw5QDln8cOYQwRrBBYSuVyWCPl-I--za3chkKJJ8dcvV2xFPckFA',
  alg: 'RS256',
  kid: 'BiIMkOl3DyHBYofu9z4r39YRPRxptADTqnHB6gjL_QU',
  use: 'sig',
  iat: 0,
  nbf: 0,
} as const;

export const TEST_ES256_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'U81kpMSVWqD5E5nqYeKQzhzOMLdfzjoKwB1VbcaLhog',
  y: 'jUF4dxQXtGAKd7nLjkW4v7hddF0ihb6cQ5-9j68OQGY',
  d: 'Op0Y4GPOZzuCayOWG1nuDGtzRJzoN7aM2r5EtgUJNjs',
  alg: 'ES256',
  kid: 'iMZ1ctWQ80nNP8jB2n2Qm3_Vr4UIQgV2_SyxjoD3wkY',
  use: 'sig',
  iat: 0,
  nbf: 0,
} as const;
