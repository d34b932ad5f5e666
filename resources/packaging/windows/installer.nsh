; Inserted by electron-builder into its installer and uninstaller.
;
; A station listens to its own computer only, until its owner opens it to the network. The rule then lets in tablets,
; scripts and turbos of private and company networks, never of public ones, and lets nothing in before.
; Only an installation for all users may set it; otherwise Windows asks when the station is opened.

!define PICKSTATION_RULE 'name="Pickstation" program="$INSTDIR\Pickstation.exe"'

!macro pickstationRemoveRule
  nsExec::ExecToLog 'netsh advfirewall firewall delete rule ${PICKSTATION_RULE}'
  Pop $0
!macroend

!macro customInstall
  ${If} $installMode == "all"
    ; An update finds the rule of the version before.
    !insertmacro pickstationRemoveRule
    nsExec::ExecToLog 'netsh advfirewall firewall add rule ${PICKSTATION_RULE} dir=in action=allow profile=private,domain enable=yes'
    Pop $0
    ${If} $0 != 0
      DetailPrint "The firewall rule was not set ($0). Windows asks when the station is opened to the network."
    ${EndIf}
  ${EndIf}
!macroend

!macro customUnInstall
  ${If} $installMode == "all"
    !insertmacro pickstationRemoveRule
  ${EndIf}
!macroend
