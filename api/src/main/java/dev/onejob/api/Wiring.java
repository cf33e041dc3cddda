package dev.onejob.api;

import dev.onejob.api.problem.ContainerProblems;
import dev.onejob.api.problem.Errors;
import dev.onejob.api.problem.ProblemAdvice;
import dev.onejob.api.problem.RequestIds;
import dev.onejob.store.Database;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** What every process serves: its health. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Errors.class, ProblemAdvice.class})
class Wiring {

  @Bean
  FilterRegistrationBean<RequestIds> requestIds() {
    FilterRegistrationBean<RequestIds> filter = new FilterRegistrationBean<>(new RequestIds());
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return filter;
  }

  /** After Spring Boot's own, so that this page is the one that is written. */
  @Bean
  @Order
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> containerProblems() {
    return tomcat ->
        tomcat.addContextCustomizers(
            context -> context.getParent().getPipeline().addValve(new ContainerProblems()));
  }

  /** Temporal is not asked: submissions do not need it. */
  @Bean
  HealthIndicator database(Database database) {
    return () -> (database.reachable() ? Health.up() : Health.down()).build();
  }
}
