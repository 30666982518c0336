// Written by `npm run openapi` from the schemas of the routes.

/** The calls that the console makes: what they take and what they answer. */
export interface Operations {
  'GET /admin/user-session': {
    path: undefined;
    query: {
      limit?: number;
      cursor?: string;
      count?: boolean;
      status?:
        | 1
        | 2
        | 3
        | 4
        | 5
        | 6
        | 7
        | 8
        | 'Normal'
        | 'ChatDisabled'
        | 'SessionReplaced'
        | 'Deactivated'
        | 'SharedAccess'
        | 'PendingInvite'
        | 'Expired'
        | 'DeletedInvite';
      userId?: string;
      search?: string;
      isOnline?: boolean;
      contentDefinitionId?: string;
      ipAddress?: string;
      ssoProvider?: string;
      deviceName?: string;
      createdFrom?: string;
      createdTo?: string;
      lastSeenBefore?: string;
    };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        UserId: string;
        Email: string;
        DisplayName: string | null;
        IsGuest: boolean;
        Status: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
        IsOnline: boolean;
        DeviceName: string | null;
        UserAgent: string | null;
        IpAddress: string | null;
        SsoProvider: string | null;
        CreatedAt: string;
        LastSeenAt: string | null;
        ExpiresAt: string;
        EndedAt: string | null;
        ContentDefinitionId: string | null;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /admin/user-session/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Id: string;
      UserId: string;
      Email: string;
      DisplayName: string | null;
      IsGuest: boolean;
      Status: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
      IsOnline: boolean;
      DeviceName: string | null;
      UserAgent: string | null;
      IpAddress: string | null;
      SsoProvider: string | null;
      CreatedAt: string;
      LastSeenAt: string | null;
      ExpiresAt: string;
      EndedAt: string | null;
      ContentDefinitionId: string | null;
      History: readonly {
        Status: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
        ChangedAt: string;
        ChangedBy: string | null;
        Reason: string;
      }[];
    };
  };
  'POST /admin/user-session': {
    path: undefined;
    query: undefined;
    body: {
      SessionId?: string;
      SessionIds?: readonly string[];
      UserId?: string;
      Filter?: {
        Status?:
          | 1
          | 2
          | 3
          | 4
          | 5
          | 6
          | 7
          | 8
          | 'Normal'
          | 'ChatDisabled'
          | 'SessionReplaced'
          | 'Deactivated'
          | 'SharedAccess'
          | 'PendingInvite'
          | 'Expired'
          | 'DeletedInvite';
        UserId?: string;
        Search?: string;
        IsOnline?: boolean;
        ContentDefinitionId?: string;
        IpAddress?: string;
        SsoProvider?: string;
        DeviceName?: string;
        CreatedFrom?: string;
        CreatedTo?: string;
        LastSeenBefore?: string;
      };
      Status:
        | 1
        | 2
        | 3
        | 4
        | 5
        | 6
        | 7
        | 8
        | 'Normal'
        | 'ChatDisabled'
        | 'SessionReplaced'
        | 'Deactivated'
        | 'SharedAccess'
        | 'PendingInvite'
        | 'Expired'
        | 'DeletedInvite';
      Reason?: string;
      DryRun?: boolean;
    };
    answer: {
      Items: readonly {
        Id: string;
        UserId: string;
        Email: string;
        DisplayName: string | null;
        IsGuest: boolean;
        Status: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
        IsOnline: boolean;
        DeviceName: string | null;
        UserAgent: string | null;
        IpAddress: string | null;
        SsoProvider: string | null;
        CreatedAt: string;
        LastSeenAt: string | null;
        ExpiresAt: string;
        EndedAt: string | null;
        ContentDefinitionId: string | null;
      }[];
      Count: number;
      UserCount: number;
      Ids: readonly string[];
    };
  };
  'GET /admin/session-event': {
    path: undefined;
    query: { limit?: number; cursor?: string; count?: boolean };
    body: undefined;
    answer: {
      Items: readonly {
        SessionId: string;
        UserId: string;
        Status: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
        TokenExpiresAt: string;
        ChangedAt: string;
        Reason: string;
      }[];
      NextCursor: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /events.json': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Record<string, unknown>;
  };
  'GET /admin/account': {
    path: undefined;
    query: {
      limit?: number;
      cursor?: string;
      count?: boolean;
      search?: string;
      email?: string;
      role?: 'User' | 'Guest' | 'Admin';
      loginStatus?:
        | 1
        | 2
        | 3
        | 4
        | 5
        | 6
        | 7
        | 8
        | 9
        | 'TwoFactorSetupRequired'
        | 'TwoFactorCodeRequired'
        | 'IsDisabled'
        | 'IsPendingEmailConfirmation'
        | 'IsPendingNewAccountSignup'
        | 'IsPendingAccountMigrationSignup'
        | 'IsPendingNewPassword'
        | 'IsExpired'
        | 'IsPendingInvitation';
      hasTwoFactor?: boolean;
      isService?: boolean;
      createdFrom?: string;
      createdTo?: string;
      lastLoginBefore?: string;
      isThrottled?: boolean;
      ids?: string;
    };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Email: string;
        DisplayName: string | null;
        Locale: string;
        Role: 'User' | 'Guest' | 'Admin';
        IsService: boolean;
        LoginStatus?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
        IsDisabled: boolean;
        ExpiresAt: string | null;
        TwoFactorEnabled: boolean;
        TwoFactorRequired: boolean;
        NewPasswordRequired: boolean;
        CreatedAt: string;
        LastLoginAt: string | null;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /admin/account/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Id: string;
      Email: string;
      DisplayName: string | null;
      Locale: string;
      Role: 'User' | 'Guest' | 'Admin';
      IsService: boolean;
      LoginStatus?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
      IsDisabled: boolean;
      ExpiresAt: string | null;
      TwoFactorEnabled: boolean;
      TwoFactorRequired: boolean;
      NewPasswordRequired: boolean;
      CreatedAt: string;
      LastLoginAt: string | null;
    };
  };
  'POST /admin/account': {
    path: undefined;
    query: undefined;
    body: {
      Email: string;
      Password?: string;
      DisplayName?: string;
      Locale?: string;
      Role?: 'User' | 'Admin';
      IsMigrated?: boolean;
      IsService?: boolean;
    };
    answer: {
      Id: string;
      Email: string;
      DisplayName: string | null;
      Locale: string;
      Role: 'User' | 'Guest' | 'Admin';
      IsService: boolean;
      LoginStatus?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
      IsDisabled: boolean;
      ExpiresAt: string | null;
      TwoFactorEnabled: boolean;
      TwoFactorRequired: boolean;
      NewPasswordRequired: boolean;
      CreatedAt: string;
      LastLoginAt: string | null;
    };
  };
  'PATCH /admin/account/{id}': {
    path: { id: string };
    query: undefined;
    body: {
      IsDisabled?: boolean;
      ExpiresAt?: string | null;
      Role?: 'User' | 'Guest' | 'Admin';
      IsService?: boolean;
      TwoFactorRequired?: boolean;
      NewPasswordRequired?: boolean;
      DisplayName?: string;
    };
    answer: {
      Id: string;
      Email: string;
      DisplayName: string | null;
      Locale: string;
      Role: 'User' | 'Guest' | 'Admin';
      IsService: boolean;
      LoginStatus?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
      IsDisabled: boolean;
      ExpiresAt: string | null;
      TwoFactorEnabled: boolean;
      TwoFactorRequired: boolean;
      NewPasswordRequired: boolean;
      CreatedAt: string;
      LastLoginAt: string | null;
    };
  };
  'POST /admin/account/bulk': {
    path: undefined;
    query: undefined;
    body: {
      Filter: {
        Ids?: readonly string[];
        Search?: string;
        Email?: string;
        Role?: 'User' | 'Guest' | 'Admin';
        LoginStatus?:
          | 1
          | 2
          | 3
          | 4
          | 5
          | 6
          | 7
          | 8
          | 9
          | 'TwoFactorSetupRequired'
          | 'TwoFactorCodeRequired'
          | 'IsDisabled'
          | 'IsPendingEmailConfirmation'
          | 'IsPendingNewAccountSignup'
          | 'IsPendingAccountMigrationSignup'
          | 'IsPendingNewPassword'
          | 'IsExpired'
          | 'IsPendingInvitation';
        HasTwoFactor?: boolean;
        IsService?: boolean;
        CreatedFrom?: string;
        CreatedTo?: string;
        LastLoginBefore?: string;
        IsThrottled?: boolean;
      };
      Change: {
        IsDisabled?: boolean;
        ExpiresAt?: string | null;
        TwoFactorRequired?: boolean;
        NewPasswordRequired?: boolean;
      };
      Reason?: string;
      DryRun?: boolean;
    };
    answer: {
      Items: readonly {
        Id: string;
        Email: string;
        DisplayName: string | null;
        Locale: string;
        Role: 'User' | 'Guest' | 'Admin';
        IsService: boolean;
        LoginStatus?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
        IsDisabled: boolean;
        ExpiresAt: string | null;
        TwoFactorEnabled: boolean;
        TwoFactorRequired: boolean;
        NewPasswordRequired: boolean;
        CreatedAt: string;
        LastLoginAt: string | null;
      }[];
      Count: number;
      Skipped: number;
      Ids: readonly string[];
    };
  };
  'POST /admin/account/{id}/reset-password': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Record<string, unknown>;
  };
  'DELETE /admin/account/{id}/two-factor': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /admin/account/{id}/standing': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      LoginStatus?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
      Reasons: readonly {
        Code:
          | 'two_factor_setup_required'
          | 'account_disabled'
          | 'email_confirmation_pending'
          | 'signup_pending'
          | 'migration_pending'
          | 'new_password_required'
          | 'account_expired'
          | 'invitation_pending';
        Since: string | null;
        By: string | null;
      }[];
      Failures: number;
      BlockedUntil: string | null;
      LastRefusedAt: string | null;
      HasPassword: boolean;
      PasswordScheme: 'peppered' | 'raw' | null;
      RecoveryCodesLeft: number;
      Passkeys: number;
    };
  };
  'POST /admin/account/{id}/unlock': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Record<string, unknown>;
  };
  'GET /admin/account/{id}/content': {
    path: { id: string };
    query: { limit?: number; cursor?: string; count?: boolean };
    body: undefined;
    answer: {
      Items: readonly {
        ContentDefinitionId: string;
        Name: string;
        Kind: 'LiveChannel' | 'Recording' | 'Document';
        Relation: 'Access' | 'Owner' | 'Pending';
        Since: string;
        By: string | null;
        ExpiresAt: string | null;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /admin/account/{id}/identity': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Items: readonly {
        Number: number;
        Provider: string | null;
        Issuer: string;
        Subject: string;
        LinkedAt: string;
      }[];
    };
  };
  'DELETE /admin/account/{id}/identity/{number}': {
    path: { id: string; number: string };
    query: undefined;
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /admin/account/{id}/passkey': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Name: string;
        IsBackedUp: boolean;
        CreatedAt: string;
        LastUsedAt: string | null;
      }[];
    };
  };
  'DELETE /admin/account/{id}/passkey/{passkeyId}': {
    path: { id: string; passkeyId: string };
    query: undefined;
    body: undefined;
    answer: Record<string, never>;
  };
  'POST /admin/account/import': {
    path: undefined;
    query: { dryRun?: boolean };
    body: undefined;
    answer: {
      Imported: number;
      Skipped: number;
      Failed: number;
      Failures: readonly { Line: number; Code: 'invalid_line' | 'email_taken'; Message: string }[];
    };
  };
  'GET /admin/content-definition': {
    path: undefined;
    query: {
      limit?: number;
      cursor?: string;
      count?: boolean;
      search?: string;
      kind?: 'LiveChannel' | 'Recording' | 'Document';
      ownerId?: string;
    };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Name: string;
        Kind: 'LiveChannel' | 'Recording' | 'Document';
        OwnerId: string | null;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /admin/content-definition/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Id: string;
      Name: string;
      Kind: 'LiveChannel' | 'Recording' | 'Document';
      OwnerId: string | null;
    };
  };
  'GET /admin/content-definition/{id}/member': {
    path: { id: string };
    query: { limit?: number; cursor?: string; count?: boolean; relation?: 'Owner' | 'Access' | 'Pending' };
    body: undefined;
    answer: {
      Items: readonly {
        UserId: string;
        Email: string;
        DisplayName: string | null;
        IsGuest: boolean;
        Relation: 'Owner' | 'Access' | 'Pending';
        Since: string;
        By: string | null;
        ExpiresAt: string | null;
        InvitationId: string | null;
        LinkExpiresAt: string | null;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'POST /admin/content-definition': {
    path: undefined;
    query: undefined;
    body: { Name: string; Kind: 'LiveChannel' | 'Recording' | 'Document'; OwnerId?: string | null };
    answer: {
      Id: string;
      Name: string;
      Kind: 'LiveChannel' | 'Recording' | 'Document';
      OwnerId: string | null;
    };
  };
  'PUT /admin/content-definition/{id}': {
    path: { id: string };
    query: undefined;
    body: { Name: string; Kind: 'LiveChannel' | 'Recording' | 'Document'; OwnerId?: string | null };
    answer: {
      Id: string;
      Name: string;
      Kind: 'LiveChannel' | 'Recording' | 'Document';
      OwnerId: string | null;
    };
  };
  'DELETE /admin/content-definition/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Record<string, never>;
  };
  'POST /admin/content-definition/{id}/invite': {
    path: { id: string };
    query: undefined;
    body: { Emails: readonly string[]; ExpiresAt?: string | null };
    answer: {
      Items: readonly {
        Email: string;
        UserId: string;
        Result: 'Invited' | 'AccessGranted' | 'AlreadyHasAccess' | 'Reinvited';
      }[];
    };
  };
  'POST /admin/content-definition/{id}/remove': {
    path: { id: string };
    query: undefined;
    body: { UserId?: string; Emails?: readonly string[] };
    answer: {
      Items: readonly {
        UserId?: string;
        Email?: string;
        Result: 'AccessRevoked' | 'InvitationDeleted' | 'NoAccess';
      }[];
    };
  };
  'GET /admin/api-token': {
    path: undefined;
    query: { limit?: number; cursor?: string; count?: boolean; createdBy?: string };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Name: string;
        Prefix: string;
        Role: 'Service' | 'Admin';
        CreatedAt: string;
        CreatedBy: string | null;
        LastUsedAt: string | null;
        LastUsedIp: string | null;
        ExpiresAt: string | null;
        Networks: readonly string[] | null;
        ReplacedBy: string | null;
        RevokedAt: string | null;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /admin/api-token/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Id: string;
      Name: string;
      Prefix: string;
      Role: 'Service' | 'Admin';
      CreatedAt: string;
      CreatedBy: string | null;
      LastUsedAt: string | null;
      LastUsedIp: string | null;
      ExpiresAt: string | null;
      Networks: readonly string[] | null;
      ReplacedBy: string | null;
      RevokedAt: string | null;
    };
  };
  'POST /admin/api-token': {
    path: undefined;
    query: undefined;
    body: { Name: string; Role?: 'Service' | 'Admin'; ExpiresAt?: string; Networks?: readonly string[] };
    answer: {
      Id: string;
      Name: string;
      Prefix: string;
      Role: 'Service' | 'Admin';
      CreatedAt: string;
      CreatedBy: string | null;
      LastUsedAt: string | null;
      LastUsedIp: string | null;
      ExpiresAt: string | null;
      Networks: readonly string[] | null;
      ReplacedBy: string | null;
      RevokedAt: string | null;
      Token: string;
    };
  };
  'POST /admin/api-token/{id}/rotate': {
    path: { id: string };
    query: undefined;
    body: { OverlapSeconds: number };
    answer: {
      Id: string;
      Name: string;
      Prefix: string;
      Role: 'Service' | 'Admin';
      CreatedAt: string;
      CreatedBy: string | null;
      LastUsedAt: string | null;
      LastUsedIp: string | null;
      ExpiresAt: string | null;
      Networks: readonly string[] | null;
      ReplacedBy: string | null;
      RevokedAt: string | null;
      Token: string;
    };
  };
  'DELETE /admin/api-token/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /admin/audit': {
    path: undefined;
    query: {
      limit?: number;
      cursor?: string;
      count?: boolean;
      actorId?: string;
      targetId?: string;
      actorKind?: 'Account' | 'ApiToken' | 'System';
      action?:
        | 'face.reviewed'
        | 'person.created'
        | 'person.changed'
        | 'person.deleted'
        | 'content.created'
        | 'content.changed'
        | 'content.deleted'
        | 'invitation.deleted'
        | 'invitation.resent'
        | 'invitation.restored'
        | 'user-session.changed'
        | 'mail.retried'
        | 'mail.test-sent'
        | 'user.invited'
        | 'user.removed'
        | 'guest.registered'
        | 'password.changed'
        | 'password.reset'
        | 'email.change-requested'
        | 'email.changed'
        | 'profile.changed'
        | 'two-factor.enabled'
        | 'two-factor.disabled'
        | 'two-factor.recovery-codes-renewed'
        | 'passkey.added'
        | 'passkey.renamed'
        | 'passkey.removed'
        | 'session.ended'
        | 'session.handed-over'
        | 'api-token.created'
        | 'api-token.revoked'
        | 'api-token.rotated'
        | 'account.created'
        | 'account.registered'
        | 'account.contested'
        | 'account.verified'
        | 'account.changed'
        | 'account.reset-started'
        | 'account.two-factor-removed'
        | 'account.passkey-removed'
        | 'account.unlocked'
        | 'account.imported'
        | 'sso.linked'
        | 'sso.unlinked';
      traceId?: string;
      ipAddress?: string;
      names?: boolean;
      from?: string;
      to?: string;
    };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Action: string;
        ActorId: string | null;
        ActorName?: string | null;
        ActorKind: 'Account' | 'ApiToken' | 'System';
        TargetId: string | null;
        TargetName?: string | null;
        TargetKind: string;
        At: string;
        IpAddress: string | null;
        TraceId: string | null;
        Details: Record<string, unknown>;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /admin/mail': {
    path: undefined;
    query: {
      limit?: number;
      cursor?: string;
      count?: boolean;
      status?: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
      email?: string;
    };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Kind: string;
        Email: string | null;
        Status: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
        Tries: number;
        LastError: string | null;
        NextTryAt: string | null;
        CreatedAt: string;
        SentAt: string | null;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /admin/mail/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Id: string;
      Kind: string;
      Email: string | null;
      Status: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
      Tries: number;
      LastError: string | null;
      NextTryAt: string | null;
      CreatedAt: string;
      SentAt: string | null;
    };
  };
  'POST /admin/mail/{id}/retry': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Id: string;
      Kind: string;
      Email: string | null;
      Status: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
      Tries: number;
      LastError: string | null;
      NextTryAt: string | null;
      CreatedAt: string;
      SentAt: string | null;
    };
  };
  'POST /admin/mail/retry': {
    path: undefined;
    query: undefined;
    body: {
      Filter: {
        Kind?:
          | 'verification-code'
          | 'password-reset'
          | 'already-registered'
          | 'password-changed'
          | 'refresh-token-reused'
          | 'two-factor-code'
          | 'two-factor-enabled'
          | 'two-factor-disabled'
          | 'recovery-code-used'
          | 'recovery-codes-renewed'
          | 'passkey-added'
          | 'passkey-removed'
          | 'passkey-cloned'
          | 'email-change-code'
          | 'email-change-notice'
          | 'email-changed'
          | 'address-taken'
          | 'new-device'
          | 'invitation'
          | 'access-granted'
          | 'access-removed'
          | 'test';
        Email?: string;
        From?: string;
        To?: string;
        Error?: string;
      };
      DryRun?: boolean;
    };
    answer: { Count: number; Skipped: number };
  };
  'POST /admin/mail/test': {
    path: undefined;
    query: undefined;
    body: { Email: string };
    answer: { Id: string };
  };
  'GET /admin/mail-template/{kind}': {
    path: {
      kind:
        | 'verification-code'
        | 'password-reset'
        | 'already-registered'
        | 'password-changed'
        | 'refresh-token-reused'
        | 'two-factor-code'
        | 'two-factor-enabled'
        | 'two-factor-disabled'
        | 'recovery-code-used'
        | 'recovery-codes-renewed'
        | 'passkey-added'
        | 'passkey-removed'
        | 'passkey-cloned'
        | 'email-change-code'
        | 'email-change-notice'
        | 'email-changed'
        | 'address-taken'
        | 'new-device'
        | 'invitation'
        | 'access-granted'
        | 'access-removed'
        | 'test';
    };
    query: { locale?: string };
    body: undefined;
    answer: { Subject: string; Text: string; Html: string };
  };
  'GET /admin/invitation': {
    path: undefined;
    query: {
      limit?: number;
      cursor?: string;
      count?: boolean;
      contentDefinitionId?: string;
      email?: string;
      invitedBy?: string;
      isExpired?: boolean;
    };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Email: string;
        UserId: string;
        ContentDefinitionId: string;
        ContentName: string;
        InvitedBy: string | null;
        InvitedAt: string;
        ExpiresAt: string;
        AccessExpiresAt: string | null;
        MailStatus: 'Pending' | 'Sent' | 'Retrying' | 'Parked' | null;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'POST /admin/invitation/bulk': {
    path: undefined;
    query: undefined;
    body: {
      Filter: { ContentDefinitionId?: string; Email?: string; InvitedBy?: string; IsExpired?: boolean };
      Change: 'delete' | 'resend';
      DryRun?: boolean;
    };
    answer: { Count: number; Skipped: number };
  };
  'DELETE /admin/invitation/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Record<string, never>;
  };
  'POST /admin/invitation/{id}/resend': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Id: string;
      Email: string;
      UserId: string;
      ContentDefinitionId: string;
      ContentName: string;
      InvitedBy: string | null;
      InvitedAt: string;
      ExpiresAt: string;
      AccessExpiresAt: string | null;
      MailStatus: 'Pending' | 'Sent' | 'Retrying' | 'Parked' | null;
    };
  };
  'GET /admin/statistics': {
    path: undefined;
    query: { from?: string; to?: string; interval?: 'hour' | 'day' };
    body: undefined;
    answer: { Series: readonly { At: string; Counts: Record<string, unknown> }[] };
  };
  'GET /admin/statistics/now': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      Accounts: number;
      AccountsIsExact: boolean;
      ByRole: { User: number; Guest: number; Admin: number };
      Disabled: number;
      Unverified: number;
      TwoFactor: number;
      Passkeys: number;
      SessionsActive: number;
      Online: number;
      Invitations: number;
      MailsParked: number;
      MailsWaiting: number;
      MailsOldestSeconds: number;
      OutboxWaiting: number;
      OutboxOldestSeconds: number;
      Throttled: number;
      At: string;
    };
  };
  'GET /admin/system': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      Version: string;
      NodeVersion: string;
      Time: string;
      Migrations: { Applied: readonly string[]; Missing: readonly string[] };
      Settings: readonly { Name: string; Value: string | number | boolean | null }[];
      SigningKeys: readonly { Kid: string; CreatedAt: string; SignsFrom: string; Signs: boolean }[];
      Dependencies: readonly { Name: string; IsReachable: boolean; Version: string | null }[];
      Queues: readonly { Name: string; Messages: number; Consumers: number }[] | null;
      RedisMemory: { EvictedKeys: number; Policies: readonly string[] } | null;
      Outbox: { Waiting: number; OldestSeconds: number };
      Mails: { Waiting: number; OldestSeconds: number };
      LastMailSentAt: string | null;
      LastMailError: string | null;
    };
  };
  'GET /admin/sso-provider': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Name: string;
        Issuer: string;
        CallbackUrl: string;
        ReturnUrls: readonly string[];
        Provisioning: string;
        AllowedDomains: readonly string[];
        TrustEmail: boolean;
        TrustSecondFactor: boolean;
        IsReachable: boolean | null;
        LastDiscoveryAt: string | null;
        Identities: number;
      }[];
    };
  };
  'GET /auth/{provider}/login': {
    path: { provider: string };
    query: { returnUrl?: string; pages?: 'true'; console?: 'true'; confirm?: 'true'; state?: string };
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /auth/{provider}/callback': {
    path: { provider: string };
    query: { state?: string; code?: string; iss?: string; error?: string };
    body: undefined;
    answer: Record<string, never>;
  };
  'POST /api/auth/{provider}/renew': {
    path: { provider: string };
    query: undefined;
    body: { refreshToken: string };
    answer: { token: string; refreshToken: string };
  };
  'GET /console/options': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      Version: string;
      SingleSession: boolean;
      Passkeys: boolean;
      Providers: readonly { Id: string; Name: string }[];
      SignOnUrl?: string;
      Locales: readonly string[];
      PublicUrl: string;
    };
  };
  'POST /console/session': {
    path: undefined;
    query: undefined;
    body: {
      Username?: string;
      Password?: string;
      TwoFactorToken?: string;
      TwoFactorCode?: string;
      PasskeyToken?: string;
      Credential?: {
        id: string;
        rawId: string;
        type: 'public-key';
        response: {
          clientDataJSON: string;
          authenticatorData: string;
          signature: string;
          userHandle?: string | null;
        };
      };
    };
    answer:
      | {
          Account: {
            Id: string;
            Email: string;
            DisplayName: string | null;
            Locale: string;
            Role: 'User' | 'Guest' | 'Service' | 'Admin';
            IsTwoFactorEnabled: boolean;
            HasPassword: boolean;
          };
          SessionId: string;
          ExpiresAt: string;
          IdleSeconds: number;
          RecoveryCodes?: readonly string[];
        }
      | {
          LoginStatus: 2;
          TwoFactorToken: string;
          SecondFactors: readonly ('Totp' | 'RecoveryCode' | 'Passkey')[];
          PasskeyOptions?: {
            challenge: string;
            rpId: string;
            timeout: number;
            allowCredentials: readonly { type: 'public-key'; id: string; transports: readonly string[] }[];
            userVerification: 'required';
          };
        }
      | { LoginStatus: 1; TwoFactorToken: string; TwoFactorSetup: { Secret: string; OtpAuthUri: string } };
  };
  'GET /console/session': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      Account: {
        Id: string;
        Email: string;
        DisplayName: string | null;
        Locale: string;
        Role: 'User' | 'Guest' | 'Service' | 'Admin';
        IsTwoFactorEnabled: boolean;
        HasPassword: boolean;
      };
      SessionId: string;
      ExpiresAt: string;
      IdleSeconds: number;
    };
  };
  'DELETE /console/session': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Record<string, never>;
  };
  'POST /console/session/ping': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: { PingStatus: 1 | 2 | 3 | 4 };
  };
  'POST /console/session/confirm': {
    path: undefined;
    query: undefined;
    body: {
      Password?: string;
      PasskeyToken?: string;
      Credential?: {
        id: string;
        rawId: string;
        type: 'public-key';
        response: {
          clientDataJSON: string;
          authenticatorData: string;
          signature: string;
          userHandle?: string | null;
        };
      };
      SignOnCode?: string;
    };
    answer: Record<string, never>;
  };
  'POST /console/handover': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: { Url: string; ExpiresAt: string };
  };
  'POST /console/handover/exchange': {
    path: undefined;
    query: undefined;
    body: { HandoverCode?: string; SignOnCode?: string };
    answer: {
      Account: {
        Id: string;
        Email: string;
        DisplayName: string | null;
        Locale: string;
        Role: 'User' | 'Guest' | 'Service' | 'Admin';
        IsTwoFactorEnabled: boolean;
        HasPassword: boolean;
      };
      SessionId: string;
      ExpiresAt: string;
      IdleSeconds: number;
    };
  };
  'POST /console/session/passkey': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      PasskeyToken: string;
      Options: {
        challenge: string;
        rpId: string;
        timeout: number;
        allowCredentials: readonly { type: 'public-key'; id: string; transports: readonly string[] }[];
        userVerification: 'required';
      };
    };
  };
  'POST /console/session/confirm/passkey': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      PasskeyToken: string;
      Options: {
        challenge: string;
        rpId: string;
        timeout: number;
        allowCredentials: readonly { type: 'public-key'; id: string; transports: readonly string[] }[];
        userVerification: 'required';
      };
    };
  };
  'POST /person': {
    path: undefined;
    query: undefined;
    body: { Name: string; Notes?: string | null; ExternalId?: string | null };
    answer: {
      Id: string;
      Name: string;
      Notes: string | null;
      ExternalId: string | null;
      FaceMatchCounts: {
        Automatch: number;
        ProbableMatch: number;
        NotMatch: number;
        ConfirmedMatch: number;
        Blurry: number;
      };
      CreatedAt: string;
      UpdatedAt: string;
    };
  };
  'GET /person': {
    path: undefined;
    query: { limit?: number; cursor?: string; count?: boolean; search?: string };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        Name: string;
        Notes: string | null;
        ExternalId: string | null;
        FaceMatchCounts: {
          Automatch: number;
          ProbableMatch: number;
          NotMatch: number;
          ConfirmedMatch: number;
          Blurry: number;
        };
        CreatedAt: string;
        UpdatedAt: string;
      }[];
      NextCursor?: string;
      Count?: number;
      CountIsExact?: boolean;
    };
  };
  'GET /person/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: {
      Id: string;
      Name: string;
      Notes: string | null;
      ExternalId: string | null;
      FaceMatchCounts: {
        Automatch: number;
        ProbableMatch: number;
        NotMatch: number;
        ConfirmedMatch: number;
        Blurry: number;
      };
      CreatedAt: string;
      UpdatedAt: string;
    };
  };
  'PUT /person/{id}': {
    path: { id: string };
    query: undefined;
    body: { Name: string; Notes?: string | null; ExternalId?: string | null };
    answer: {
      Id: string;
      Name: string;
      Notes: string | null;
      ExternalId: string | null;
      FaceMatchCounts: {
        Automatch: number;
        ProbableMatch: number;
        NotMatch: number;
        ConfirmedMatch: number;
        Blurry: number;
      };
      CreatedAt: string;
      UpdatedAt: string;
    };
  };
  'DELETE /person/{id}': {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Record<string, never>;
  };
  'POST /person/{id}/face': {
    path: { id: string };
    query: undefined;
    body: {
      SourceId: string;
      Sharpness?: number | null;
      ImageUrl?: string | null;
      BoundingBox?: { Left: number; Top: number; Width: number; Height: number } | null;
      CapturedAt?: string | null;
      Similarity: number;
      FaceMatchType?:
        1 | 2 | 3 | 4 | 5 | 'Automatch' | 'ProbableMatch' | 'NotMatch' | 'ConfirmedMatch' | 'Blurry';
    };
    answer: {
      Id: string;
      PersonId: string;
      FaceMatchType: 1 | 2 | 3 | 4 | 5;
      Similarity: number;
      Sharpness: number | null;
      ImageUrl: string | null;
      SourceId: string;
      BoundingBox: { Left: number; Top: number; Width: number; Height: number } | null;
      CapturedAt: string | null;
      DecidedBy: string | null;
      DecidedAt: string | null;
      Reason: string | null;
    };
  };
  'PUT /person/{id}/face': {
    path: { id: string };
    query: undefined;
    body: {
      Items: readonly {
        FaceId: string;
        FaceMatchType:
          1 | 2 | 3 | 4 | 5 | 'Automatch' | 'ProbableMatch' | 'NotMatch' | 'ConfirmedMatch' | 'Blurry';
        Reason?: string | null;
      }[];
    };
    answer: {
      Items: readonly {
        Id: string;
        PersonId: string;
        FaceMatchType: 1 | 2 | 3 | 4 | 5;
        Similarity: number;
        Sharpness: number | null;
        ImageUrl: string | null;
        SourceId: string;
        BoundingBox: { Left: number; Top: number; Width: number; Height: number } | null;
        CapturedAt: string | null;
        DecidedBy: string | null;
        DecidedAt: string | null;
        Reason: string | null;
      }[];
    };
  };
  'PUT /person/{id}/face/{faceId}': {
    path: { id: string; faceId: string };
    query: undefined;
    body: {
      FaceMatchType:
        1 | 2 | 3 | 4 | 5 | 'Automatch' | 'ProbableMatch' | 'NotMatch' | 'ConfirmedMatch' | 'Blurry';
      Reason?: string | null;
    };
    answer: {
      Id: string;
      PersonId: string;
      FaceMatchType: 1 | 2 | 3 | 4 | 5;
      Similarity: number;
      Sharpness: number | null;
      ImageUrl: string | null;
      SourceId: string;
      BoundingBox: { Left: number; Top: number; Width: number; Height: number } | null;
      CapturedAt: string | null;
      DecidedBy: string | null;
      DecidedAt: string | null;
      Reason: string | null;
    };
  };
  'GET /person/{id}/{faceMatchType}': {
    path: {
      id: string;
      faceMatchType:
        1 | 2 | 3 | 4 | 5 | 'Automatch' | 'ProbableMatch' | 'NotMatch' | 'ConfirmedMatch' | 'Blurry';
    };
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: {
      Items: readonly {
        Id: string;
        PersonId: string;
        FaceMatchType: 1 | 2 | 3 | 4 | 5;
        Similarity: number;
        Sharpness: number | null;
        ImageUrl: string | null;
        SourceId: string;
        BoundingBox: { Left: number; Top: number; Width: number; Height: number } | null;
        CapturedAt: string | null;
        DecidedBy: string | null;
        DecidedAt: string | null;
        Reason: string | null;
      }[];
      NextCursor?: string;
    };
  };
}
