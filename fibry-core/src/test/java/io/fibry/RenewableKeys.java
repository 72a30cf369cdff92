package io.fibry;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

// @start region="keys"
/**
 * The keys of a TLS server whose certificate is renewed at run time. New handshakes use the newest keys. An alias
 * begins with the number of its keys, so a handshake during a renewal takes its key and its certificate from the same
 * ones.
 */
public final class RenewableKeys extends X509ExtendedKeyManager {

    private final List<X509ExtendedKeyManager> all = new CopyOnWriteArrayList<>();

    public RenewableKeys(KeyStore keys, char[] password) throws GeneralSecurityException {
        renew(keys, password);
    }

    /** Call it when the file has changed, for instance from a schedule. */
    public void renew(KeyStore keys, char[] password) throws GeneralSecurityException {
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password);
        for (KeyManager manager : factory.getKeyManagers()) {
            if (manager instanceof X509ExtendedKeyManager usable) {
                all.add(usable);
            }
        }
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
        int newest = all.size() - 1;
        return alias(newest, all.get(newest).chooseServerAlias(type, issuers, socket));
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
        int newest = all.size() - 1;
        return alias(newest, all.get(newest).chooseEngineServerAlias(type, issuers, engine));
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return keysOf(alias).getCertificateChain(alias.substring(alias.indexOf(':') + 1));
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return keysOf(alias).getPrivateKey(alias.substring(alias.indexOf(':') + 1));
    }

    private X509ExtendedKeyManager keysOf(String alias) {
        return all.get(Integer.parseInt(alias.substring(0, alias.indexOf(':'))));
    }

    private static String alias(int number, String alias) {
        return alias == null ? null : number + ":" + alias;
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
        int newest = all.size() - 1;
        String[] aliases = all.get(newest).getServerAliases(type, issuers);
        return aliases == null
                ? null
                : Arrays.stream(aliases).map(alias -> alias(newest, alias)).toArray(String[]::new);
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
        return null; // only for servers
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
        return null;
    }
}
// @end
